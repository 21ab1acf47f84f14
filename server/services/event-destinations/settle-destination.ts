import type { Lease } from "#db/lease.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockLeased, saveProgress } from "#db/queries/events/destinations.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { SYSTEM } from "#domain/access.ts";
import { compareEventPlaces, type EventPlace } from "#domain/event.ts";
import { afterFailure, type EventDestination } from "#domain/event-destination.ts";
import type { Uses } from "#server/context.ts";
import { destinationEvent } from "#server/services/events/event-of.ts";

/** What a worker has sent of a page. `error`: why it stopped; null: it did not have to. */
export type Sent = { epoch: number; place: EventPlace; ahead: string[]; isDelivered: boolean; error: string | null };

/** Writes how far a destination has come and gives it back. A day after the first failure it is paused, and its partner's people are notified. */
export async function settleDestination(ctx: Uses<"db">, lease: Lease, { error, ...sent }: Sent): Promise<void> {
  if (error === null) return await saveProgress(ctx.db, lease, { ...sent, failure: null });
  await ctx.db.transaction(async (tx) => {
    const before = await lockLeased(tx, lease);
    if (before === null) return;
    const now = await readBusinessNow(tx);
    const hasMoved = compareEventPlaces(before.place, sent.place) !== 0;
    const failingSince = hasMoved ? now : (before.failingSince ?? now);
    const failures = hasMoved ? 1 : before.failures + 1;
    const nextAttemptAt = afterFailure(before.type, failures, failingSince, now);
    const isPaused = nextAttemptAt === null && before.status === "active";
    const failure = { failures, failingSince, lastError: error, nextAttemptAt, pausedAt: isPaused ? now : null };
    await saveProgress(tx, lease, { ...sent, failure });
    if (isPaused) await pause(tx, { ...before, ...failure, status: "paused" }, now);
  });
}

async function pause(tx: Uses<"db">["db"], paused: EventDestination, now: Date): Promise<void> {
  const { id: objectId, partnerId, failingSince, lastError } = paused;
  const change = { failing_since: failingSince?.toISOString() ?? null, error: lastError };
  await insertAuditEntry(tx, { by: SYSTEM, partnerId, action: "destination.paused", objectId, change, now });
  await recordEvents(tx, [destinationEvent(paused, now)]);
}
