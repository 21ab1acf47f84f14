import type { Database } from "#db/client.ts";
import { insertLedgerEntries, insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { settlementExecuted, topupPostings, withdrawalPostings } from "#domain/ledger.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Topup } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";

/** Posts what a top-up's new step means, if money moved, in the transaction of that change. Each step posts at most once. */
export async function postTopup(tx: Database, topup: Topup, now: Date): Promise<void> {
  const entry = topupPostings(topup);
  if (entry !== null) await insertLedgerEntry(tx, entry, now);
}

/**
 * Posts what a withdrawal's new step means, in the transaction of that change: its creation promises the pool's fiat, its end posts
 * or voids the promise exactly once. Each step posts at most once.
 */
export async function postWithdrawal(tx: Database, withdrawal: Withdrawal, now: Date): Promise<void> {
  const entry = withdrawalPostings(withdrawal);
  if (entry !== null) await insertLedgerEntry(tx, entry, now);
}

/** Posts settlements that were just executed, in the transaction of that change. A second time violates a unique constraint. */
export async function postSettlements(tx: Database, settlements: readonly Settlement[], now: Date): Promise<void> {
  await insertLedgerEntries(tx, settlements.map(settlementExecuted), now);
}
