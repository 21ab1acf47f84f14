import type { Database } from "#db/client.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { topupPostings } from "#domain/ledger.ts";
import type { Topup } from "#domain/topup.ts";

/** Posts what a top-up's new step means, if money moved, in the transaction of that change. Each step posts at most once. */
export async function postTopup(tx: Database, topup: Topup, now: Date): Promise<void> {
  const entry = topupPostings(topup);
  if (entry !== null) await insertLedgerEntry(tx, entry, now);
}
