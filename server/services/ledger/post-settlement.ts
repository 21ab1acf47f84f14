import type { Database } from "#db/client.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { settlementExecuted } from "#domain/ledger.ts";
import type { Settlement } from "#domain/settlement.ts";

/** Posts a settlement that was just executed, in the transaction of that change. A second time violates a unique constraint. */
export async function postSettlement(tx: Database, settlement: Settlement, now: Date): Promise<void> {
  await insertLedgerEntry(tx, settlementExecuted(settlement), now);
}
