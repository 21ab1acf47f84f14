import { deleteApiRequestsBefore, forgetRefusedBefore } from "#db/queries/access/api-requests.ts";
import { API_LOG_DAYS, REFUSED_BODY_DAYS } from "#domain/api-request.ts";
import type { Uses } from "#server/context.ts";

/** Few enough that the statement ends long before its timeout, on any disk. */
const BATCH = 5_000;
const DAY_MS = 86_400_000;

/**
 * Upkeep: what the API log keeps no longer. Bodies of refused requests go after 7 days, the requests themselves after 30. Safe at
 * any time, in any number of processes. `more`: a batch was full, so that there may be as many again.
 */
export async function forgetApiRequests(ctx: Uses<"db" | "clock">): Promise<{ requests: number; bodies: number; more: boolean }> {
  const now = ctx.clock.now().getTime();
  const bodies = await forgetRefusedBefore(ctx.db, new Date(now - REFUSED_BODY_DAYS * DAY_MS), BATCH);
  const requests = await deleteApiRequestsBefore(ctx.db, new Date(now - API_LOG_DAYS * DAY_MS), BATCH);
  return { requests, bodies, more: requests === BATCH || bodies === BATCH };
}
