import { eq, type SQL, sql } from "drizzle-orm";
import { askNodes } from "#db/citus-nodes.ts";
import { citusOutbox } from "#db/citus-tables.ts";
import type { Database } from "#db/client.ts";
import { ringForEvents } from "#db/event-bell.ts";
import { auditParts, auditRow, type DatedEntry, entriesIn } from "#db/queries/audit/audit-entries.ts";
import { eventRow } from "#db/queries/events/event-row.ts";
import { readPosition } from "#db/queries/events/events-on-nodes.ts";
import { eventPart, eventsIn } from "#db/queries/events/record-events.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { among, recordsOf } from "#db/rows.ts";
import { auditEntries } from "#db/schema/audit-log.ts";
import { events } from "#db/schema/events.ts";
import { statement } from "#db/statement.ts";
import { layoutOf } from "#db/transaction.ts";
import { unlessNodeAway } from "#db/trouble.ts";
import type { NewEvent } from "#domain/event.ts";
import { timeOfId } from "#domain/ids.ts";
import type { Settlement } from "#domain/settlement.ts";

/**
 * A new settlement on Citus commits on its partner's node alone. Its audit entry and its event belong to the coordinator, and wait on the
 * node for one that brings them there: in two phases, many at once, so each is in one place or the other. The settlement's first change
 * brings its own, which keeps its events in order. The worker brings all others, and a reader of events brings its partner's.
 */

type Kept = Pick<Settlement, "id" | "partnerId">;
type Made = { settlement: Kept; entry: DatedEntry; event: NewEvent | null };

/** So many come with one transaction. */
export const BROUGHT_AT_ONCE = 500;

/** Puts what the coordinator gets of new settlements on their node. */
export async function insertOutbox(tx: Database, made: readonly Made[]): Promise<void> {
  const rows = made.map(({ settlement: { id: settlementId, partnerId }, entry, event }) => {
    const [entryRecord = {}] = recordList(recordsOf(auditEntries, [auditRow(entry)]));
    const [eventRecord] = event === null ? [] : recordList(recordsOf(events, [eventRow(event)]));
    return { partnerId, settlementId, entry: entryRecord, event: eventRecord ?? null };
  });
  await tx.insert(citusOutbox).values(rows);
  for (const { event } of made) if (event !== null) ringForEvents(tx, event.partnerId);
}

const recordList = (text: string): object[] => JSON.parse(text);

/** Takes what waits of these settlements, which are locked, to the coordinator: in the transaction that changes them. */
export async function takeFromOutbox(tx: Database, kept: readonly Kept[]): Promise<void> {
  for (const [partnerId, theirs] of Map.groupBy(kept, (one) => one.partnerId)) {
    const { settlementId, entry, event } = citusOutbox;
    const ids = theirs.map(({ id }) => id);
    const taken = await tx
      .delete(citusOutbox)
      .where(sql`${eq(citusOutbox.partnerId, partnerId)} and ${among(settlementId, ids)}`)
      .returning({ entry, event });
    if (taken.length === 0) continue;
    // Whatever the row says, it is that partner's.
    const own = (record: object) => ({ ...record, partner_id: partnerId });
    const made = taken.flatMap((row) => (row.event === null ? [] : [own(row.event)]));
    await writing(tx, { entries: JSON.stringify(taken.map((row) => own(row.entry))), events: JSON.stringify(made) });
    ringForEvents(tx, partnerId);
  }
}

const writing = statement<{ entries: string; events: string }, Record<string, never>>(
  (param) => sql`with ${auditParts(entriesIn(param))}, ${eventPart(eventsIn(param), "settlement", null)} select`,
);

/**
 * Brings what waits of a partner's settlements to the coordinator, the oldest first, and returns how many. One that is being changed is left
 * to its change. Each is counted to have changed here, so that its next event comes after this one.
 */
export async function bringFromOutbox(db: Database, partnerId: string): Promise<number> {
  if (layoutOf(db) !== "citus" || !(await hasWaiting(db, partnerId))) return 0;
  return await db.transaction(async (tx) => {
    const free = await tx.execute<{ id: string }>(sql`
      select s.id from settlements s where s.partner_id = ${partnerId}::uuid and s.id in (
        select o.settlement_id from citus_outbox o where o.partner_id = ${partnerId}::uuid order by o.settlement_id limit ${BROUGHT_AT_ONCE})
      order by s.id for no key update of s skip locked`);
    const ids = free.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await takeFromOutbox(
      tx,
      ids.map((id) => ({ id, partnerId })),
    );
    const position = await readPosition(tx);
    await tx.execute(sql`update settlements s set events_position = ${position.toString()}::bigint
      where s.partner_id = ${partnerId}::uuid and s.id = any(array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`);
    return ids.length;
  });
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
      sql`select partner_id as id from citus_outbox where true ${which} group by partner_id order by min(settlement_id)`,
    );
  return (await askNodes(db, "citus_outbox", ask)).map(({ id }) => id);
}

/** Whether nothing has waited for longer than that. Unknown, and false, while a node is away. */
export async function isBrought(db: Database, latenessMs: number): Promise<boolean> {
  if (layoutOf(db) !== "citus") return true;
  const rows = await unlessNodeAway(db.execute<{ id: string | null }>(sql`select min(settlement_id) as id from citus_outbox`));
  if (rows === null) return false;
  const oldest = timeOfId(rows[0]?.id ?? "");
  return oldest === null || oldest.getTime() >= (await readBusinessNow(db)).getTime() - latenessMs;
}
