import { forgetRefusedBefore } from "#db/queries/access/api-requests.ts";
import { REFUSED_BODY_DAYS } from "#domain/api-request.ts";
import type { Uses } from "#server/context.ts";

/** Few enough that the statement ends long before its timeout, on any disk. */
const BATCH = 5_000;
const DAY_MS = 86_400_000;

/**
 * Maintenance: deletes the additional data of refused requests from the API log after 7 days. Safe at any time, in any number of processes.
 * `more`: a batch was full, so there may be more.
 */
export async function forgetRefusedBodies(ctx: Uses<"db" | "clock">): Promise<{ bodies: number; more: boolean }> {
  const bodies = await forgetRefusedBefore(ctx.db, new Date(ctx.clock.now().getTime() - REFUSED_BODY_DAYS * DAY_MS), BATCH);
  return { bodies, more: bodies === BATCH };
}
