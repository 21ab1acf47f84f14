import type { Lease } from "#db/lease.ts";
import { lockLeased, saveProgress } from "#db/queries/events/destinations.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { SYSTEM } from "#domain/access.ts";
import { compareEventPlaces, type EventPlace } from "#domain/event.ts";
import { afterFailure } from "#domain/event-destination.ts";
import type { Uses } from "#server/context.ts";
import { recordPause } from "#server/services/events/pause-destinations.ts";

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
    if (isPaused) await recordPause(tx, { ...before, ...failure, status: "paused" }, { by: SYSTEM, now });
  });
}
