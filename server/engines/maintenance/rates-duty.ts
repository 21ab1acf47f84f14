import type { Uses } from "#server/context.ts";
import type { Duty } from "#server/engines/duty.ts";
import type { RateSource } from "#server/ports.ts";
import { refreshRates, type Suspicions } from "#server/services/rates/refresh-rates.ts";

const LONGEST_PAUSE_MS = 10_000;
/** While a pair cannot be quoted because its rate has just become too old. */
const SOON_MS = 2_000;
/** The largest part of a rate's lifetime between two rounds: three may fail before quoting goes down. */
const ROUNDS_PER_LIFE = 4;
/** A rate more than 5 % away from the last accepted one counts only after three rounds in a row. */
const JUMP = { jumpBps: 500, jumpConfirmations: 3 };

/** Keeps the rates fresh from a market source. A sandbox with fixed rates has no such duty. */
export function ratesDuty(ctx: Uses<"db" | "clock" | "log">, options: { source: RateSource; maximumAgeSeconds: number }): Duty {
  const { source, maximumAgeSeconds } = options;
  const suspicions: Suspicions = new Map();
  const usualMs = Math.min(LONGEST_PAUSE_MS, (maximumAgeSeconds * 1_000) / ROUNDS_PER_LIFE);
  const duty: Duty = {
    name: "rates",
    everyMs: usualMs,
    async run(signal) {
      const { lapsed } = await refreshRates(ctx, { source, limits: { maximumAgeSeconds, ...JUMP }, suspicions, signal });
      duty.everyMs = lapsed > 0 ? Math.min(usualMs, SOON_MS) : usualMs;
      return "idle";
    },
  };
  return duty;
}
