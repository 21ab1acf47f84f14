import type { Clock } from "#server/ports.ts";

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
