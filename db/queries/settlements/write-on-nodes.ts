import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type DatedEntry, insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { type CountedEvent, insertSettlementEvents, readPosition } from "#db/queries/events/events-on-nodes.ts";
import { insertRows, recordsOf } from "#db/rows.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { settlements } from "#db/schema/settlements.ts";
import { changesOf, statement } from "#db/statement.ts";
import { inTransaction, sendAhead, sentTogether } from "#db/transaction.ts";
import { wakeWorkers } from "#db/wake-workers.ts";
import type { NewEvent } from "#domain/event.ts";
import type { Settlement } from "#domain/settlement.ts";
import { insertOutbox, takeFromOutbox } from "./outbox.ts";
import { LIVING, toRow } from "./settlement-rows.ts";

/**
 * A settlement to write, with its audit entry and its event; null: the change is none that a partner follows. `transferId`, on Citus only: the
 * payment that it owes from now on. Then nothing else of the transaction is the coordinator's: the change commits on its node, and its record
 * waits there.
 */
export type Written = { settlement: Settlement; entry: DatedEntry; event: NewEvent | null; transferId?: string | undefined };

/**
 * The writes of settlements on Citus, which inserts into one table in a statement, and under row-level security only given values. A
 * partner's rows go to its node; the audit entries and the events are the coordinator's, at once or through the outbox.
 */

/** As `insertSettlements`, on the partner's node alone: entry and event wait in its outbox. */
export async function insertOnNodes(db: Database, made: readonly Written[]): Promise<void> {
  if (made.length === 0) return;
  const rows = made.map(({ settlement, event }) => ({ ...toRow(settlement), eventsRecorded: event === null ? 0 : 1 }));
  const left = made.map((one) => ({ ...one, version: one.event === null ? 0 : 1 }));
  const quotes = made.map(({ settlement: { id, partnerId, quote } }) => ({ settlementId: id, partnerId, ...quote }));
  await inTransaction(db, (tx) =>
    sentTogether(insertRows(tx, settlements, rows), insertRows(tx, settlementQuotes, quotes), insertOutbox(tx, left)),
  );
}

/** As `saveSettlements`: one statement for each partner. What waits of a settlement comes with its next change of two nodes. */
export async function saveOnNodes(db: Database, changed: readonly Written[]): Promise<void> {
  if (changed.every(isLeft)) return await inTransaction(db, (tx) => leaveOnNodes(tx, changed));
  if (changed.some(isLeft)) throw new Error("of changes that are written together, all name a payment or none does");
  const kept = changed.map(({ settlement: { id, partnerId } }) => ({ id, partnerId }));
  await inTransaction(db, (tx) => sentTogether(takeFromOutbox(tx, kept), save(tx, changed), insertAuditEntries(tx, entriesOf(changed))));
}

const isLeft = ({ transferId }: Written) => transferId !== undefined;

/** Confirmations, on their partner's node alone: entry, event and payment wait there, and a worker is woken to bring them. */
async function leaveOnNodes(tx: Database, confirmed: readonly Written[]): Promise<void> {
  for (const one of confirmed) {
    const { settlement, event } = one;
    const rows = [{ ...toRow(settlement), eventsRecorded: event === null ? 0 : 1, eventsPosition: 0n }];
    const [saved] = await change(tx, { rows: recordsOf(settlements, rows), partnerId: settlement.partnerId });
    if (saved === undefined) throw new Error(`the settlement ${settlement.id} is gone`);
    await sendAhead(tx, insertOutbox(tx, [{ ...one, version: saved.version }]));
  }
  await wakeWorkers(tx, "outbox");
}

const entriesOf = (written: readonly Written[]): DatedEntry[] => written.map(({ entry }) => entry);

async function save(tx: Database, changed: readonly Written[]): Promise<void> {
  const position = await readPosition(tx);
  const counted: CountedEvent[] = [];
  for (const [partnerId, theirs] of Map.groupBy(changed, ({ settlement }) => settlement.partnerId)) {
    const rows = theirs.map(({ settlement, event }) => {
      return { ...toRow(settlement), eventsRecorded: event === null ? 0 : 1, eventsPosition: position };
    });
    const saved = await change(tx, { rows: recordsOf(settlements, rows), partnerId });
    const places = new Map(saved.map(({ id, ...place }) => [id, place]));
    for (const { settlement, event } of theirs) {
      const place = places.get(settlement.id);
      if (place === undefined) throw new Error(`the settlement ${settlement.id} is gone`);
      if (event !== null) counted.push({ event, version: place.version, position: BigInt(place.position) });
    }
  }
  await insertSettlementEvents(tx, counted);
}

const change = statement<{ rows: string; partnerId: string }, { id: string; version: number; position: string }>(
  (param) => sql`
    update settlements set ${changesOf(settlements, LIVING, "n")}, events_recorded = settlements.events_recorded + n.events_recorded,
      events_position = greatest(settlements.events_position, n.events_position)
    from json_populate_recordset(null::settlements, ${param("rows")}::text::json) as n
    where settlements.id = n.id and of_partner(settlements.partner_id, ${param("partnerId")}::uuid)
    returning settlements.id, settlements.events_recorded as version, settlements.events_position::text as position`,
);
