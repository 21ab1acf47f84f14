import { deleteOldCounters } from "#db/queries/exposure/counters.ts";
import type { Uses } from "#server/context.ts";

const BATCH = 5_000;

/** Maintenance: deletes the limits' counters of three days ago and earlier. Each payment's contribution stays in its verdict. */
export async function forgetCounters(ctx: Uses<"db">): Promise<{ more: boolean }> {
  return { more: (await deleteOldCounters(ctx.db, BATCH)) === BATCH };
}
