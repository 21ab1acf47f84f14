import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { ringForEvents } from "#db/event-bell.ts";
import { type Lease, leaseEnd, leaseIsFree } from "#db/lease.ts";
import { descentOf } from "#db/queries/access/key-descent.ts";
import { rowOf } from "#db/rows.ts";
import { eventDestinations } from "#db/schema/event-destinations.ts";
import type { EventPlace } from "#domain/event.ts";
import type { DestinationStatus, DestinationTest, EventDestination } from "#domain/event-destination.ts";
import { firstId } from "#domain/ids.ts";

type Row = typeof eventDestinations.$inferSelect;

function toDestination({ position, version, eventId, leaseUntil: _, leaseToken: __, ...row }: Row): EventDestination {
  return { ...row, place: { position, version, id: eventId } };
}

/** Locks the partner, so that of two creations at once the second one counts the first. */
export async function lockDestinationsOf(tx: Database, partnerId: string): Promise<number> {
  await tx.execute(sql`select from partners where id = ${partnerId}::uuid for no key update`);
  return await tx.$count(eventDestinations, eq(eventDestinations.partnerId, partnerId));
}

export async function insertDestination(tx: Database, { place, ...destination }: EventDestination): Promise<void> {
  const { position, version, id: eventId } = place;
  await tx.insert(eventDestinations).values({ ...destination, position, version, eventId });
}

/** The partner's, the oldest first. */
export async function listDestinations(db: Database, partnerId: string): Promise<EventDestination[]> {
  const rows = await db.select().from(eventDestinations).where(eq(eventDestinations.partnerId, partnerId)).orderBy(eventDestinations.id);
  return rows.map(toDestination);
}

/** Events that a destination has not got: how many, and since when the oldest waits. */
export type Backlog = { waiting: number; since: Date | null };

/** So many events after a place are looked at. */
const COUNTED = 1_000;

/** What waits for each of a partner's destinations. */
export async function listBacklogs(db: Database, destinations: readonly EventDestination[]): Promise<(Backlog & { id: string })[]> {
  const [first] = destinations;
  if (first === undefined) return [];
  const rows = await db.execute<{ id: string; waiting: number; since: string | null }>(sql`
    select d.id, w.waiting, w.since from event_destinations d cross join lateral (
      select count(*)::int as waiting, min(created_at) as since from (
        select e.id, e.type, e.audience, e.created_at from events e where e.partner_id = ${first.partnerId}::uuid and e.position >= d.position
          and (e.position, e.version, e.id) > (d.position, d.version, d.event_id) order by e.position, e.version, e.id limit ${COUNTED}
      ) e where d.audiences ? e.audience and not d.ahead ? e.id
        and exists (select from jsonb_array_elements_text(d.types) as p(pattern) where e.type = pattern
          or (right(pattern, 2) = '.*' and starts_with(e.type, left(pattern, -1))))
    ) w where d.partner_id = ${first.partnerId}::uuid`);
  return rows.map(({ id, waiting, since }) => ({ id, waiting, since: since === null ? null : new Date(since) }));
}

type Own = Pick<EventDestination, "id" | "partnerId">;
const own = ({ id, partnerId }: Own) => and(eq(eventDestinations.id, id), eq(eventDestinations.partnerId, partnerId));

export async function findDestination(db: Database, which: Own): Promise<EventDestination | null> {
  const [row] = await db.select().from(eventDestinations).where(own(which));
  return row === undefined ? null : toDestination(row);
}

export async function lockDestination(tx: Database, which: Own): Promise<EventDestination | null> {
  const [row] = await tx.select().from(eventDestinations).where(own(which)).for("update");
  return row === undefined ? null : toDestination(row);
}

export async function deleteDestination(tx: Database, which: Own): Promise<void> {
  await tx.delete(eventDestinations).where(own(which));
}

/** What its owner changes; it wakes the workers. A worker that is sending to it goes on, and writes what it has sent. */
export async function saveWishes(
  tx: Database,
  destination: Own & Pick<EventDestination, "types" | "description" | "status" | "pausedAt" | "nextAttemptAt" | "failingSince" | "test">,
): Promise<void> {
  const { types, description, status, pausedAt, nextAttemptAt, failingSince, test } = destination;
  await tx
    .update(eventDestinations)
    .set({ types, description, status, pausedAt, nextAttemptAt, failingSince, test })
    .where(own(destination));
  ringForEvents(tx, destination.partnerId);
}

/** Moves its place, and wakes the workers. A worker that is sending to it loses its lease, and cannot move the place back. */
export async function moveDestination(tx: Database, which: Own, { epoch, place }: { epoch: number; place: EventPlace }): Promise<void> {
  const { position, version, id: eventId } = place;
  const moved = { epoch, position, version, eventId, ahead: [], nextAttemptAt: null, leaseUntil: null, leaseToken: null };
  await tx.update(eventDestinations).set(moved).where(own(which));
  ringForEvents(tx, which.partnerId);
}

/** Where the events are that come from now on; `from`: where those of that instant begin, or the oldest kept after it. */
export async function findPlace(db: Database, partnerId: string, from: Date | null): Promise<{ epoch: number; place: EventPlace }> {
  const since =
    from === null
      ? sql`null::bigint`
      : sql`(select min(position) from events where partner_id = ${partnerId}::uuid and id >= ${firstId("event", from)})`;
  const [row] = await db.execute<{ epoch: number; position: string }>(sql`
    select coalesce((select max(epoch) from event_epochs), 0) as epoch,
      coalesce(${since}, pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text as position`);
  if (row === undefined) throw new Error("a place has a row");
  return { epoch: row.epoch, place: { position: BigInt(row.position), version: 0, id: "" } };
}

/** Pauses what works of the destinations that a key, or one that descends from it, created. A worker that is sending to one loses its lease. */
export async function pauseOfDescent(tx: Database, keyId: string, error: string, at: Date): Promise<EventDestination[]> {
  const rows = await tx.execute<Record<string, unknown>>(sql`${descentOf(keyId)}
    update event_destinations d set status = 'paused', paused_at = ${at.toISOString()}::timestamptz, failing_since = null, due_at = null,
      last_error = ${error}, lease_until = null, lease_token = null
    from descent where d.api_key_id = descent.id and d.status = 'active' returning d.*`);
  return rows.map((row) => toDestination(rowOf(eventDestinations, row)));
}

/** Free places of a worker: for destinations whose last attempt succeeded, and for all others. */
export type DestinationRoom = { proven: number; unproven: number; closedPartners: readonly string[] };
export type ClaimedDestination = { destination: EventDestination; lease: Lease; isProven: boolean; isDue: boolean };

/**
 * Leases destinations for which there is something: a test, or an event after their place that no transaction under way can precede. What
 * does not work has places of its own, of which a partner gets a few, so it takes none from those that work.
 */
export async function claimDestinations(db: Database, token: string, room: DestinationRoom): Promise<ClaimedDestination[]> {
  const { proven, unproven, closedPartners } = room;
  const rows = await db.execute<Record<string, unknown> & { isProven: boolean; isDue: boolean }>(sql`
    with here as materialized (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon, business_now() as now),
    ready as materialized (
      select d.id, d.partner_id, d.due_at, d.position, d.failures = 0 and d.last_delivered_at is not null as proven
      from event_destinations d cross join here cross join lateral (
        select least(d.position, coalesce((select min(began) from event_epochs where epoch > d.epoch), d.position)) as position
      ) b
      where ${leaseIsFree("d.")} and (d.test ->> 'endedAt' is null and d.test is not null
        or d.status = 'active' and (d.due_at is null or d.due_at <= here.now) and exists (
          select from events e where e.partner_id = d.partner_id and e.position >= b.position and e.position < here.horizon
            and (b.position < d.position or (e.position, e.version, e.id) > (d.position, d.version, d.event_id))))
    ), first as (
      (select id from ready where proven order by position limit ${proven}) union all
      (select id from (select id, due_at, row_number() over (partition by partner_id order by due_at nulls first, position) as nth
        from ready where not proven and partner_id <> all(array(select jsonb_array_elements_text(${JSON.stringify(closedPartners)}::jsonb))::uuid[])) r
        where nth <= ${MOST_UNPROVEN_OF_ONE} order by nth, due_at nulls first limit ${unproven})
    ), free as materialized (
      select d.id from event_destinations d where d.id = any(array(select id from first)) and ${leaseIsFree("d.")} for update skip locked
    )
    update event_destinations d set lease_until = ${leaseEnd()}, lease_token = ${token} where d.id = any(array(select id from free))
    returning d.*, d.failures = 0 and d.last_delivered_at is not null as "isProven",
      d.status = 'active' and (d.due_at is null or d.due_at <= (select now from here)) as "isDue"`);
  return rows.map((row) => {
    const destination = toDestination(rowOf(eventDestinations, row));
    return {
      destination,
      isProven: row.isProven,
      isDue: row.isDue,
      lease: { id: destination.id, token, partnerId: destination.partnerId },
    };
  });
}

/** So many that do not work may one partner have under way in a worker. */
export const MOST_UNPROVEN_OF_ONE = 2;

/** What a worker writes of what it has sent. */
export type Progress = {
  epoch: number;
  place: EventPlace;
  ahead: string[];
  isDelivered: boolean;
  failure: (Pick<EventDestination, "failures" | "failingSince" | "lastError" | "nextAttemptAt"> & { pausedAt: Date | null }) | null;
};

/** Locks a destination that this worker still has; null: it has lost it. */
export async function lockLeased(tx: Database, { id, token }: Lease): Promise<EventDestination | null> {
  const [row] = await tx
    .select()
    .from(eventDestinations)
    .where(and(eq(eventDestinations.id, id), eq(eventDestinations.leaseToken, token)))
    .for("update");
  return row === undefined ? null : toDestination(row);
}

/** Writes how far it has come, and gives it back. Nothing where another worker has it, or where its owner has moved its place. */
export async function saveProgress(db: Database, { id, token }: Lease, progress: Progress): Promise<void> {
  const { epoch, place, ahead, isDelivered, failure } = progress;
  const { position, version, id: eventId } = place;
  const fault =
    failure === null
      ? { failures: 0, failingSince: null, lastError: null, nextAttemptAt: null }
      : {
          failures: failure.failures,
          failingSince: failure.failingSince,
          lastError: failure.lastError,
          nextAttemptAt: failure.nextAttemptAt,
          ...(failure.pausedAt && { pausedAt: failure.pausedAt, status: "paused" as const }),
        };
  await db
    .update(eventDestinations)
    .set({ epoch, position, version, eventId, ahead, ...fault, ...DONE, ...(isDelivered && { lastDeliveredAt: sql`business_now()` }) })
    .where(and(eq(eventDestinations.id, id), eq(eventDestinations.leaseToken, token)));
}

/** Writes how far it has come without a failure, and keeps it. Null, and nothing is written: another worker has it, or its owner moved its place. */
export async function keepProgress(
  db: Database,
  { id, token }: Lease,
  progress: Omit<Progress, "failure">,
): Promise<DestinationStatus | null> {
  const { epoch, place, ahead, isDelivered } = progress;
  const { position, version, id: eventId } = place;
  const fault = { failures: 0, failingSince: null, lastError: null, nextAttemptAt: null };
  const [row] = await db
    .update(eventDestinations)
    .set({ epoch, position, version, eventId, ahead, ...fault, ...(isDelivered && { lastDeliveredAt: sql`business_now()` }) })
    .where(and(eq(eventDestinations.id, id), eq(eventDestinations.leaseToken, token)))
    .returning({ status: eventDestinations.status });
  return row?.status ?? null;
}

const DONE = { leaseUntil: null, leaseToken: null };

/** Writes how a test has ended. The lease stays. */
export async function saveTest(db: Database, { id, token }: Lease, test: DestinationTest): Promise<void> {
  await db
    .update(eventDestinations)
    .set({ test })
    .where(
      and(
        eq(eventDestinations.id, id),
        eq(eventDestinations.leaseToken, token),
        sql`${eventDestinations.test} ->> 'askedAt' = ${test.askedAt}`,
      ),
    );
}
