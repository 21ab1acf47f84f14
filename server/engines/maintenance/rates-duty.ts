import type { Uses } from "#server/context.ts";
import type { Duty } from "#server/engines/duty.ts";
import type { RateSource } from "#server/ports.ts";
import { refreshRates, type Suspicions } from "#server/services/rates/refresh-rates.ts";

const LONGEST_PAUSE_MS = 10_000;
/** Of a rate's life passes at most so much between two rounds: three may fail before quoting goes down. */
const ROUNDS_PER_LIFE = 4;
/** More than 5 % away from the last accepted rate is believed only once three rounds in a row have told it. */
const JUMP = { jumpBps: 500, jumpConfirmations: 3 };

/** Keeps the rates fresh from a market source. A sandbox with fixed rates has no such duty. */
export function ratesDuty(ctx: Uses<"db" | "clock" | "log">, options: { source: RateSource; maximumAgeSeconds: number }): Duty {
  const { source, maximumAgeSeconds } = options;
  const suspicions: Suspicions = new Map();
  return {
    name: "rates",
    everyMs: Math.min(LONGEST_PAUSE_MS, (maximumAgeSeconds * 1_000) / ROUNDS_PER_LIFE),
    async run(signal) {
      await refreshRates(ctx, { source, limits: { maximumAgeSeconds, ...JUMP }, suspicions, signal });
      return "idle";
    },
  };
}
