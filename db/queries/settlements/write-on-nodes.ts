import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type DatedEntry, insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { type CountedEvent, countedAt, insertSettlementEvents, readPosition } from "#db/queries/events/events-on-nodes.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { settlements } from "#db/schema/settlements.ts";
import { inTransaction } from "#db/transaction.ts";
import type { NewEvent } from "#domain/event.ts";
import type { Settlement } from "#domain/settlement.ts";
import { LIVING, toRow } from "./settlement-rows.ts";

/** A settlement to write, with its audit entry and its event; null: the change is none that a partner follows. */
export type Written = { settlement: Settlement; entry: DatedEntry; event: NewEvent | null };

/**
 * The writes of settlements on Citus, which inserts into one table in a statement, and under row-level security only given values. A
 * partner's rows go to its node; the audit entries and the events are the coordinator's.
 */

/** As `insertSettlements`. */
export async function insertOnNodes(db: Database, made: readonly Written[]): Promise<void> {
  if (made.length === 0) return;
  await inTransaction(db, async (tx) => {
    const position = await readPosition(tx);
    const rows = made.map(({ settlement, event }) => {
      const eventsRecorded = event === null ? 0 : 1;
      return { ...toRow(settlement), eventsRecorded, eventsPosition: position };
    });
    await tx.insert(settlements).values(rows);
    await tx
      .insert(settlementQuotes)
      .values(made.map(({ settlement: { id, partnerId, quote } }) => ({ settlementId: id, partnerId, ...quote })));
    await insertSettlementEvents(
      tx,
      made.flatMap(({ event }) => (event === null ? [] : [{ event, version: 1, position }])),
    );
    await insertAuditEntries(
      tx,
      made.map(({ entry }) => entry),
    );
  });
}

/** As `saveSettlements`. */
export async function saveOnNodes(db: Database, changed: readonly Written[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    const position = await readPosition(tx);
    const counted: CountedEvent[] = [];
    for (const { settlement, event } of changed) {
      const row = toRow(settlement);
      const living = Object.fromEntries(LIVING.map((key) => [key, row[key]]));
      const [saved] = await tx
        .update(settlements)
        .set({ ...living, ...countedAt(event === null ? 0 : 1, position) })
        .where(and(eq(settlements.id, settlement.id), eq(settlements.partnerId, settlement.partnerId)))
        .returning({ version: settlements.eventsRecorded, position: settlements.eventsPosition });
      if (saved === undefined) throw new Error(`the settlement ${settlement.id} is gone`);
      if (event !== null) counted.push({ event, version: saved.version, position: BigInt(saved.position) });
    }
    await insertSettlementEvents(tx, counted);
    await insertAuditEntries(
      tx,
      changed.map(({ entry }) => entry),
    );
  });
}
