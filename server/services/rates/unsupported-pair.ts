import { findFiatCurrency } from "#domain/currency.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export const NOT_TRADED = "This combination of currencies is not traded on this chain.";

/** The refusal `unsupported_pair` for these currency codes. Where one of them is right but for its capitals, it names the right spelling. */
export function unsupportedPair(ctx: Uses<"chains">, codes: readonly string[]): Refusal {
  const tokens = ctx.chains.list().flatMap((chain) => chain.tokens.map(({ currency }) => currency));
  const misspelt = codes.flatMap((code) => {
    const right = findSpelling(code, tokens);
    return right === null || right === code ? [] : [`${right}, not ${code}`];
  });
  const detail = misspelt.length === 0 ? NOT_TRADED : `Currency codes are case-sensitive: write ${misspelt.join("; ")}.`;
  return new Refusal("unsupported_pair", { detail });
}

function findSpelling(code: string, tokens: readonly string[]): string | null {
  const capitals = code.toUpperCase();
  if (findFiatCurrency(capitals) !== null) return capitals;
  return tokens.find((token) => token === code) ?? tokens.find((token) => token.toUpperCase() === capitals) ?? null;
}
