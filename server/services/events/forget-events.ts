import { deleteEventsBefore, markEventLine } from "#db/queries/events/keep-events.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { EVENTS_KEPT_DAYS } from "#domain/event.ts";
import { firstId } from "#domain/ids.ts";
import type { Uses } from "#server/context.ts";

/** Few enough that the statement ends long before its timeout, on any disk. */
const BATCH = 5_000;
const DAY_MS = 86_400_000;

/** Maintenance: deletes a batch of events that are older than the 30 days of the contract. True: there may be more. */
export async function forgetEvents(ctx: Uses<"db">): Promise<boolean> {
  const now = await readBusinessNow(ctx.db);
  const before = firstId("event", new Date(now.getTime() - EVENTS_KEPT_DAYS * DAY_MS));
  return (await deleteEventsBefore(ctx.db, before, BATCH)) === BATCH;
}

/** Maintenance: notices that the database was restored or has failed over, so that readers go on where the new line began. */
export async function markEvents(ctx: Uses<"db">): Promise<void> {
  await markEventLine(ctx.db);
}
