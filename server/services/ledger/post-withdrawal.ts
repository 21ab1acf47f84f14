import type { Database } from "#db/client.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { withdrawalPostings } from "#domain/ledger.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";

/**
 * Posts what a withdrawal's new step means, in the transaction of that change: its creation promises the pool's fiat, its end posts
 * or voids the promise exactly once. Each step posts at most once.
 */
export async function postWithdrawal(tx: Database, withdrawal: Withdrawal, now: Date): Promise<void> {
  const entry = withdrawalPostings(withdrawal);
  if (entry !== null) await insertLedgerEntry(tx, entry, now);
}
