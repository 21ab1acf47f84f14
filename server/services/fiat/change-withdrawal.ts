import { renderWithdrawalCallback } from "#contract/partner/fiat-answers.ts";
import type { Database } from "#db/client.ts";
import { changePoolTotal } from "#db/queries/fiat/fiat-pools.ts";
import { saveWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import type { TransferCall } from "#domain/transfer.ts";
import { advanceWithdrawal, WITHDRAWAL_LIFECYCLE, type Withdrawal, type WithdrawalAction, withdrawalStatus } from "#domain/withdrawal.ts";
import { postWithdrawal } from "#server/services/ledger/post-withdrawal.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { announceMove, auditMove } from "./tell-of-move.ts";

/**
 * The one way a locked withdrawal changes: the lifecycle decides, then the row, the audit entry, the ledger, what the pool holds, the
 * transfer that is owed next and the callback are written in the caller's transaction, all of it or nothing.
 */
export async function changeWithdrawal(tx: Database, before: Withdrawal, action: WithdrawalAction, now: Date): Promise<Withdrawal> {
  const after = advanceWithdrawal(before, action, now);
  await saveWithdrawal(tx, after, now);
  await auditMove(tx, { kind: "withdrawal", from: before.step, after, status: withdrawalStatus(after), now });
  if (after.step === "paid") await changePoolTotal(tx, after.currency, -after.amountMinor, now);
  await postWithdrawal(tx, after, now);
  // What was taken goes back to the Safe that it came from, to the last base unit.
  if (after.step === "returning") await oweItsCrypto(tx, after, { purpose: "return", recipient: after.safeAddress, now });
  const { callback: event } = WITHDRAWAL_LIFECYCLE[action.type];
  await announceMove(tx, { order: after, callback: event && { event, body: renderWithdrawalCallback(after, event) }, now });
  return after;
}

type Way = { purpose: "sweep" | "return"; recipient: string; call?: TransferCall; now: Date };

/** Owes the whole of a withdrawal's crypto: out of its Safe, or back into it. */
export async function oweItsCrypto(tx: Database, withdrawal: Withdrawal, way: Way): Promise<void> {
  const { id: ownerId, partnerId, chain, sourceCurrency: currency, tokenAddress, tokenDecimals, sourceAmountBase: amountBase } = withdrawal;
  await enqueueTransfer(tx, { ownerId, partnerId, chain, currency, tokenAddress, tokenDecimals, amountBase, ...way });
}
