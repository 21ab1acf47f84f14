import { listRates, type StoredRate, saveObservation } from "#db/queries/rates/exchange-rates.ts";
import { listQuotedCurrencies } from "#db/queries/rates/pair-terms.ts";
import { compare, type Decimal, decimal, formatDecimal } from "#domain/decimal.ts";
import { rateHasMoved } from "#domain/quote.ts";
import type { CurrencyPair, RateObservation } from "#domain/rate.ts";
import type { Uses } from "#server/context.ts";
import type { RateSource } from "#server/ports.ts";

export type RefreshLimits = {
  /** The age from which a rate is not used for quotes. */
  maximumAgeSeconds: number;
  /** A change against the last accepted rate beyond this, in basis points, needs confirmation. */
  jumpBps: number;
  /** How many rounds in a row must report the new level to confirm it. */
  jumpConfirmations: number;
};

/** What the rounds before have seen and not yet believed. One for the life of a worker; a new worker begins with none. */
export type Suspicions = Map<string, { level: Decimal; seen: number; lastAsOf: Date }>;

export type RefreshRates = { source: RateSource; limits: RefreshLimits; suspicions: Suspicions; signal: AbortSignal };
/** `lapsed`: pairs whose last rate has become too old within the last minutes. */
export type RefreshedRates = { accepted: number; refused: number; missing: number; lapsed: number };

/**
 * One round: asks the source for every pair that can be quoted, and stores the answers. A pair without an answer keeps its last rate until
 * that is too old. A jump is logged and waits until later rounds confirm it, so that one absurd answer never becomes a price. Safe in
 * several workers at once: an older observation never replaces a newer one.
 */
export async function refreshRates(ctx: Uses<"db" | "clock" | "log">, pass: RefreshRates): Promise<RefreshedRates> {
  const pairs = await listQuotedCurrencies(ctx.db);
  const result = { accepted: 0, refused: 0, missing: 0, lapsed: 0 };
  if (pairs.length === 0) return result;
  const observations = await pass.source.observe(pairs, pass.signal);
  const stored = new Map((await listRates(ctx.db)).map((rate) => [keyOf(rate), rate]));
  const now = ctx.clock.now().getTime();
  for (const pair of pairs) {
    const observation = observations.find((each) => keyOf(each) === keyOf(pair));
    const last = stored.get(keyOf(pair)) ?? null;
    let staleAt = last?.staleAt ?? null;
    if (observation === undefined) {
      result.missing += 1;
    } else {
      const trouble = troubleWith(ctx, pass, observation, last);
      if (trouble === null) {
        staleAt = new Date(observation.asOf.getTime() + pass.limits.maximumAgeSeconds * 1_000);
        await saveObservation(ctx.db, { ...observation, staleAt });
        result.accepted += 1;
      } else {
        ctx.log.warn({ ...pair, source: observation.source, observed: formatDecimal(observation.midRate), trouble }, "a rate was refused");
        result.refused += 1;
      }
    }
    if (hasLapsed(staleAt, now)) result.lapsed += 1;
  }
  return result;
}

/** What has been too old for longer will hardly come back within seconds, and its source need not be asked more often. */
const LATELY_MS = 10 * 60_000;

function hasLapsed(staleAt: Date | null, now: number): boolean {
  return staleAt !== null && staleAt.getTime() <= now && staleAt.getTime() > now - LATELY_MS;
}

function troubleWith(ctx: Uses<"clock">, pass: RefreshRates, observation: RateObservation, last: StoredRate | null): string | null {
  if (compare(observation.midRate, ZERO) <= 0) return "not above zero";
  if (observation.asOf.getTime() > ctx.clock.now().getTime() + LARGEST_LEAD_MS) return "from the future";
  return isUnconfirmedJump(pass, observation, last) ? "a jump that awaits confirmation" : null;
}

const ZERO = decimal("0");
/** Clocks differ by a little. */
const LARGEST_LEAD_MS = 5_000;

/** However old the last rate is: an outage does not make an absurd price more likely to be right. */
function isUnconfirmedJump({ limits, suspicions }: RefreshRates, observation: RateObservation, last: StoredRate | null): boolean {
  const key = keyOf(observation);
  if (last === null || last.staleAt === null || !rateHasMoved(last.midRate, observation.midRate, limits.jumpBps)) {
    suspicions.delete(key);
    return false;
  }
  const before = suspicions.get(key);
  const same = before !== undefined && !rateHasMoved(before.level, observation.midRate, limits.jumpBps);
  // The same observation again (a source that is stuck, or a cache) confirms nothing.
  const isNews = before === undefined || observation.asOf.getTime() > before.lastAsOf.getTime();
  const seen = same ? before.seen + (isNews ? 1 : 0) : 1;
  if (seen >= limits.jumpConfirmations) {
    suspicions.delete(key);
    return false;
  }
  suspicions.set(key, { level: observation.midRate, seen, lastAsOf: observation.asOf });
  return true;
}

function keyOf(pair: CurrencyPair): string {
  return `${pair.sourceCurrency}/${pair.destinationCurrency}`;
}
