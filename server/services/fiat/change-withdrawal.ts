import { renderWithdrawalCallback } from "#contract/partner/fiat-answers.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { changePoolTotal } from "#db/queries/fiat/fiat-pools.ts";
import { saveWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { SYSTEM } from "#domain/access.ts";
import {
  advanceWithdrawal,
  WITHDRAWAL_LIFECYCLE,
  type Withdrawal,
  type WithdrawalAction,
  type WithdrawalRow,
  withdrawalStatus,
} from "#domain/withdrawal.ts";
import { enqueueCallback } from "#server/services/callbacks/enqueue-callback.ts";
import { postWithdrawal } from "#server/services/ledger/post-withdrawal.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";

/**
 * The one way a locked withdrawal changes: the lifecycle decides, then the row, the audit entry, the ledger, what the pool holds, the
 * transfer that is owed next and the callback are written in the caller's transaction, all of it or nothing.
 */
export async function changeWithdrawal(tx: Database, before: Withdrawal, action: WithdrawalAction, now: Date): Promise<Withdrawal> {
  const after = advanceWithdrawal(before, action, now);
  await saveWithdrawal(tx, after, now);
  await insertAuditEntry(tx, {
    by: SYSTEM,
    partnerId: after.partnerId,
    action: `withdrawal.${after.step}`,
    objectId: after.id,
    reason: after.failureReason,
    change: { from: before.step, step: after.step, status: withdrawalStatus(after), tx_hash: after.txHash },
    now,
  });
  if (after.step === "paid") await changePoolTotal(tx, after.currency, -after.amountMinor, now);
  await postWithdrawal(tx, after, now);
  if (after.step === "returning") await oweReturn(tx, after, now);
  await announce(tx, after, WITHDRAWAL_LIFECYCLE[action.type], now);
  return after;
}

/** What was taken goes back to the Safe that it came from, to the last base unit. */
async function oweReturn(tx: Database, withdrawal: Withdrawal, now: Date): Promise<void> {
  await enqueueTransfer(tx, {
    purpose: "return",
    ownerId: withdrawal.id,
    partnerId: withdrawal.partnerId,
    chain: withdrawal.chain,
    currency: withdrawal.sourceCurrency,
    tokenAddress: withdrawal.tokenAddress,
    tokenDecimals: withdrawal.tokenDecimals,
    amountBase: withdrawal.sourceAmountBase,
    recipient: withdrawal.safeAddress,
    now,
  });
}

async function announce(tx: Database, withdrawal: Withdrawal, { callback }: WithdrawalRow, now: Date): Promise<void> {
  if (callback === null || withdrawal.callbackUrl === null) return;
  const { id: subjectId, partnerId, apiKeyId, callbackUrl: url } = withdrawal;
  await enqueueCallback(tx, {
    partnerId,
    subjectId,
    apiKeyId,
    event: callback,
    url,
    body: renderWithdrawalCallback(withdrawal, callback),
    now,
  });
}
