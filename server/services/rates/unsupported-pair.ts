import { findFiatCurrency } from "#domain/currency.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export const NOT_TRADED = "This combination of currencies is not traded on this chain.";

const UNKNOWN = "This currency is not traded on this chain.";

/** The place of a value in a request: a field of its body, or a parameter of its query. */
export type Place = Pick<Fault, "pointer" | "parameter">;
/** The places of the two currencies of a pair. */
export type PairPlaces = { source: Place; destination: Place };

/** As settlements name them. */
export const SETTLEMENT_FIELDS: PairPlaces = { source: { pointer: "/source_currency" }, destination: { pointer: "/destination_currency" } };

/**
 * The refusal `unsupported_pair` for these currency codes. If only the case of one is wrong, it names the right spelling and the field
 * (contract, part 9 "Errors"). `isUnknown`: nobody trades that one, whatever it is paired with.
 */
export function unsupportedPair(ctx: Uses<"chains">, named: readonly { code: string; at: Place; isUnknown?: boolean }[]): Refusal {
  const tokens = ctx.chains.list().flatMap((chain) => chain.tokens.map(({ currency }) => currency));
  const misspelt = named.flatMap(({ code, at }) => {
    const right = findSpelling(code, tokens);
    return right === null || right === code ? [] : [{ at, fix: `${right}, not ${code}` }];
  });
  if (misspelt.length === 0) {
    const unknown = named.flatMap(({ at, isUnknown }) =>
      isUnknown ? [{ ...at, code: "unsupported_pair", message: UNKNOWN } as const] : [],
    );
    return new Refusal("unsupported_pair", { detail: NOT_TRADED, ...(unknown.length > 0 && { errors: unknown }) });
  }
  return new Refusal("unsupported_pair", {
    detail: caseMatters(misspelt.map(({ fix }) => fix)),
    errors: misspelt.map(({ at, fix }) => ({ ...at, code: "unsupported_pair", message: caseMatters([fix]) })),
  });
}

function caseMatters(fixes: readonly string[]): string {
  return `Currency codes are case-sensitive: write ${fixes.join("; ")}.`;
}

function findSpelling(code: string, tokens: readonly string[]): string | null {
  const capitals = code.toUpperCase();
  if (findFiatCurrency(capitals) !== null) return capitals;
  return tokens.find((token) => token === code) ?? tokens.find((token) => token.toUpperCase() === capitals) ?? null;
}
