import type { Database } from "#db/client.ts";
import { insertLedgerEntry } from "#db/queries/ledger-entries.ts";
import { topupPostings } from "#server/domain/ledger.ts";
import type { Topup } from "#server/domain/topup.ts";

/** Posts what a top-up's new step means, if money moved, in the transaction of that change. Each step posts at most once. */
export async function postTopup(tx: Database, topup: Topup, now: Date): Promise<void> {
  const entry = topupPostings(topup);
  if (entry !== null) await insertLedgerEntry(tx, entry, now);
}
