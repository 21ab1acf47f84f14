import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { endTreasuryWithdrawal, lockTreasuryWithdrawal } from "#db/queries/transfers/treasury-withdrawals.ts";
import { SYSTEM } from "#domain/access.ts";
import { endOf, type Transfer } from "#domain/transfer.ts";
import { treasuryWithdrawn } from "#domain/treasury-entries.ts";
import { moveTreasuryWithdrawal } from "#domain/treasury-withdrawal.ts";

/** The payment of a treasury withdrawal is final: its end and its ledger entry, in the transaction that ends the payment. */
export async function completeTreasuryWithdrawal(tx: Database, transfer: Transfer): Promise<void> {
  const before = await lockTreasuryWithdrawal(tx, transfer.ownerId);
  if (before === null) throw new Error(`there is no treasury withdrawal ${transfer.ownerId}`);
  const now = await readBusinessNow(tx);
  const end = endOf(transfer);
  const how =
    "txHash" in end ? ({ state: "paid", txHash: end.txHash } as const) : ({ state: "unpaid", failureReason: end.reason } as const);
  const after = moveTreasuryWithdrawal(before, how, now);
  await endTreasuryWithdrawal(tx, after);
  const entry = treasuryWithdrawn(after);
  if (entry !== null) await insertLedgerEntry(tx, entry, now);
  const { id: objectId, failureReason: reason, txHash } = after;
  const action = `treasury.withdrawal_${after.state}`;
  await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action, objectId, reason, change: { tx_hash: txHash }, now });
}
