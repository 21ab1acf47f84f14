import { eq, type SQL, sql } from "drizzle-orm";
import { askNodes } from "#db/citus-nodes.ts";
import { citusOutbox } from "#db/citus-tables.ts";
import type { Database } from "#db/client.ts";
import { ringForEvents } from "#db/event-bell.ts";
import { auditParts, auditRow, type DatedEntry, entriesIn } from "#db/queries/audit/audit-entries.ts";
import { eventRow } from "#db/queries/events/event-row.ts";
import { readPosition } from "#db/queries/events/events-on-nodes.ts";
import { placedPart } from "#db/queries/events/record-events.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { wakeTransfers } from "#db/queries/transfers/transfers.ts";
import { among, recordsOf } from "#db/rows.ts";
import { auditEntries } from "#db/schema/audit-log.ts";
import { events } from "#db/schema/events.ts";
import { settlements } from "#db/schema/settlements.ts";
import { transfers } from "#db/schema/transfers.ts";
import { statement } from "#db/statement.ts";
import { layoutOf } from "#db/transaction.ts";
import { unlessNodeAway } from "#db/trouble.ts";
import type { NewEvent } from "#domain/event.ts";
import { timeOfId } from "#domain/ids.ts";
import type { Settlement } from "#domain/settlement.ts";

/**
 * On Citus, a new settlement and a confirmation that nothing holds commit on their partner's node alone. The audit entry, the event and the
 * payment that is owed belong to the coordinator. They wait on the node for one that brings them there: in two phases, many at once, so each
 * is in one place or the other. A worker brings them, and a reader of events its partner's. What waits of a creation also comes with the
 * settlement's next change that takes two phases, so its events are in order.
 */

type Kept = Pick<Settlement, "id" | "partnerId">;
type Left = { settlement: Kept; entry: DatedEntry; event: NewEvent | null; version: number; transferId?: string | undefined };
type Payment = { id: string; ownerId: string };

/** Of so many settlements, what waits comes with one transaction. */
export const BROUGHT_AT_ONCE = 500;

/** Puts what the coordinator gets of settlements on their node. */
export async function insertOutbox(tx: Database, left: readonly Left[]): Promise<void> {
  const rows = left.map(({ settlement: { id: settlementId, partnerId }, entry, event, version, transferId = null }) => {
    const [entryRecord = {}] = recordList(recordsOf(auditEntries, [auditRow(entry)]));
    const [eventRecord] = event === null ? [] : recordList(recordsOf(events, [eventRow(event)]));
    return { partnerId, settlementId, version, entry: entryRecord, event: eventRecord ?? null, transferId };
  });
  await tx.insert(citusOutbox).values(rows);
  for (const { event } of left) if (event !== null) ringForEvents(tx, event.partnerId);
}

const recordList = (text: string): object[] => JSON.parse(text);

/**
 * Takes what waits of these settlements, which are locked, to the coordinator: in the transaction that changes them. Fails if a payment
 * still waits: nothing may change its settlement before.
 */
export async function takeFromOutbox(tx: Database, kept: readonly Kept[]): Promise<void> {
  for (const [partnerId, theirs] of Map.groupBy(kept, (one) => one.partnerId)) {
    const ids = theirs.map(({ id }) => id);
    const payments = await takeOfPartner(tx, partnerId, ids);
    if (payments.length > 0) throw new Error(`payments still wait on their node: ${payments.map(({ id }) => id)}`);
  }
}

/** Returns the payments among what it took. */
async function takeOfPartner(tx: Database, partnerId: string, ids: readonly string[]): Promise<Payment[]> {
  const { settlementId, version, entry, event, transferId } = citusOutbox;
  const taken = await tx
    .delete(citusOutbox)
    .where(sql`${eq(citusOutbox.partnerId, partnerId)} and ${among(settlementId, ids)}`)
    .returning({ settlementId, version, entry, event, transferId });
  if (taken.length === 0) return [];
  const position = await readPosition(tx);
  // Another transaction may have given the settlement a later position. Its next events keep that one.
  const places = await tx
    .update(settlements)
    .set({ eventsPosition: sql`greatest(${settlements.eventsPosition}, ${position.toString()}::bigint)` })
    .where(sql`${eq(settlements.partnerId, partnerId)} and ${among(settlements.id, [...new Set(taken.map((row) => row.settlementId))])}`)
    .returning({ id: settlements.id, position: settlements.eventsPosition });
  const placeOf = new Map(places.map((place) => [place.id, String(place.position)]));
  // Whatever the row says, it is that partner's.
  const own = (record: object) => ({ ...record, partner_id: partnerId });
  const placed = taken.flatMap((row) =>
    row.event === null ? [] : [{ ...own(row.event), version: row.version, position: placeOf.get(row.settlementId) }],
  );
  await writing(tx, { entries: JSON.stringify(taken.map((row) => own(row.entry))), events: JSON.stringify(placed) });
  ringForEvents(tx, partnerId);
  return taken.flatMap((row) => (row.transferId === null ? [] : [{ id: row.transferId, ownerId: row.settlementId }]));
}

const writing = statement<{ entries: string; events: string }, Record<string, never>>(
  (param) => sql`with ${auditParts(entriesIn(param))}, ${placedPart(param)} select`,
);

/**
 * Brings what waits of a partner's settlements to the coordinator, the oldest settlements first, and returns of how many: `limit` if there may
 * be more. One that is being changed is left for later. Payments come with their confirmation's entry, which the signer asks for.
 *
 * @throws If a record names a payment that its settlement does not get: the record stays.
 */
export async function bringFromOutbox(db: Database, partnerId: string, limit = BROUGHT_AT_ONCE): Promise<number> {
  if (layoutOf(db) !== "citus" || !(await hasWaiting(db, partnerId))) return 0;
  return await db.transaction(async (tx) => {
    // The limit counts what is free: any number of locked ones hides none behind them. A partner's settlements are many, and what waits is not:
    // each is locked in a subquery of its own, so that the plan always goes from record to settlement.
    const free = await tx.execute<{ id: string; isOwing: boolean }>(sql`
      select s.* from (select distinct o.settlement_id from citus_outbox o where o.partner_id = ${partnerId}::uuid order by 1) waiting
      cross join lateral (select s.id, s.status = 'processing' as "isOwing" from settlements s
        where s.partner_id = ${partnerId}::uuid and s.id = waiting.settlement_id for no key update skip locked) s
      limit ${limit}`);
    const ids = free.map(({ id }) => id);
    if (ids.length === 0) return 0;
    // First, because its owner's rights read on the node, which Citus allows only before this role writes there.
    await oweWaiting(
      tx,
      partnerId,
      free.flatMap(({ id, isOwing }) => (isOwing ? [id] : [])),
    );
    await assertMade(tx, await takeOfPartner(tx, partnerId, ids));
    return ids.length;
  });
}

/** Each payment is there, and its settlement's: with its record, an unpaid settlement's last trace would be deleted. */
async function assertMade(tx: Database, payments: readonly Payment[]): Promise<void> {
  if (payments.length === 0) return;
  const wanted = payments.map(({ id }) => id);
  const rows = await tx.select({ id: transfers.id, ownerId: transfers.ownerId }).from(transfers).where(among(transfers.id, wanted));
  const owners = new Map(rows.map(({ id, ownerId }) => [id, ownerId]));
  const missing = payments.filter(({ id, ownerId }) => owners.get(id) !== ownerId);
  if (missing.length > 0) throw new Error(`payments were not made: ${missing.map(({ id, ownerId }) => `${id} of ${ownerId}`)}`);
}

/** Makes the payments of these confirmations. A settlement that has its payment already gets no other one. */
async function oweWaiting(tx: Database, partnerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const asked = sql`array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
  const owed = await tx.execute(sql`select id from citus_owe_waiting(${partnerId}::uuid, ${asked})`);
  if (owed.length > 0) await wakeTransfers(tx);
}

async function hasWaiting(db: Database, partnerId: string): Promise<boolean> {
  return (
    (await db.select({ id: citusOutbox.settlementId }).from(citusOutbox).where(eq(citusOutbox.partnerId, partnerId)).limit(1)).length > 0
  );
}

/** The partners of whose settlements something waits, the longest waiting first. Those on a node that is away are left out. */
export async function listWaiting(db: Database): Promise<string[]> {
  if (layoutOf(db) !== "citus") return [];
  const ask = (which: SQL) =>
    db.execute<{ id: string }>(
      sql`select partner_id as id from citus_outbox where true ${which} group by partner_id order by min(entry ->> 'id')`,
    );
  return (await askNodes(db, "citus_outbox", ask)).map(({ id }) => id);
}

/** Whether nothing has waited for longer than that. Unknown, and false, while a node is away. */
export async function isBrought(db: Database, latenessMs: number): Promise<boolean> {
  if (layoutOf(db) !== "citus") return true;
  const rows = await unlessNodeAway(db.execute<{ id: string | null }>(sql`select min(entry ->> 'id') as id from citus_outbox`));
  if (rows === null) return false;
  const oldest = timeOfId(rows[0]?.id ?? "");
  return oldest === null || oldest.getTime() >= (await readBusinessNow(db)).getTime() - latenessMs;
}
