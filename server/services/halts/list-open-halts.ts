import { listAllOpenHalts } from "#db/queries/halts/lane-halts.ts";
import type { LaneHalt } from "#domain/lane.ts";
import type { Uses } from "#server/context.ts";

/** Every lane that stands, oldest first: for the console, `/ready` and the metrics. */
export async function listOpenHalts(ctx: Uses<"db">): Promise<LaneHalt[]> {
  return await listAllOpenHalts(ctx.db);
}
