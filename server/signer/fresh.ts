import type { Desk } from "./desk.ts";

/** So long what was signed is admitted without being derived again. */
export const FRESH_MS = 60_000;

/** Forgets what was signed longer ago than that. */
export function forgetStale({ fresh, ctx }: Pick<Desk, "fresh" | "ctx">): void {
  const now = ctx.clock.now().getTime();
  for (const [hash, { until }] of fresh) {
    if (until > now) return; // in the order in which they were signed
    fresh.delete(hash);
  }
}
