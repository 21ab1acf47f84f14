import { deleteOldCounters } from "#db/queries/exposure/counters.ts";
import type { Uses } from "#server/context.ts";

const BATCH = 5_000;

/** Upkeep: forgets what limits counted three days ago and before. What payments counted for stands in their verdicts for good. */
export async function forgetCounters(ctx: Uses<"db">): Promise<{ more: boolean }> {
  return { more: (await deleteOldCounters(ctx.db, BATCH)) === BATCH };
}
