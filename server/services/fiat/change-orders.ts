import { renderTopupCallback, renderWithdrawalCallback } from "#contract/partner/fiat-answers.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { changePoolTotal } from "#db/queries/fiat/fiat-pools.ts";
import { lockTopup, saveTopup } from "#db/queries/fiat/topups.ts";
import { lockWithdrawal, saveWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type By, SYSTEM } from "#domain/access.ts";
import type { CallbackEvent } from "#domain/callback.ts";
import type { FiatStatus, OrderFacts } from "#domain/fiat.ts";
import { advanceTopup, TOPUP_LIFECYCLE, type Topup, type TopupAction, topupStatus } from "#domain/topup.ts";
import { endOf, type Transfer, type TransferCall, type TransferEnd } from "#domain/transfer.ts";
import { advanceWithdrawal, WITHDRAWAL_LIFECYCLE, type Withdrawal, type WithdrawalAction, withdrawalStatus } from "#domain/withdrawal.ts";
import { enqueueCallback } from "#server/services/callbacks/enqueue-callback.ts";
import { topupEvent, withdrawalEvent } from "#server/services/events/event-of.ts";
import { postTopup, postWithdrawal } from "#server/services/ledger/post-orders.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";

/**
 * The only way to change a locked top-up. The lifecycle decides; then the row, the audit entry, the ledger, the pool, the next transfer, the
 * event and the callback are written in the caller's transaction, all or nothing.
 */
export async function changeTopup(tx: Database, before: Topup, action: TopupAction, now: Date, by: By = SYSTEM): Promise<Topup> {
  const after = advanceTopup(before, action, now);
  await saveTopup(tx, after);
  await auditMove(tx, { by, kind: "topup", from: before.step, after, status: topupStatus(after), now });
  if (after.step === "sending") {
    await changePoolTotal(tx, after.currency, after.amountMinor, now);
    await enqueueCrypto(tx, after, now);
  }
  await postTopup(tx, after, now);
  const { callback: event } = TOPUP_LIFECYCLE[action.type];
  await recordEvents(tx, [topupEvent(after, now)]);
  await announceMove(tx, { order: after, callback: event && { event, body: renderTopupCallback(after, event) }, now });
  return after;
}

async function enqueueCrypto(tx: Database, topup: Topup, now: Date): Promise<void> {
  const { id: ownerId, partnerId, chain, destinationCurrency: currency, tokenAddress, tokenDecimals } = topup;
  const { destinationAmountBase: amountBase, walletAddress: recipient, trace } = topup;
  const payment = { ownerId, partnerId, chain, currency, tokenAddress, tokenDecimals, amountBase, recipient, trace };
  await enqueueTransfer(tx, { purpose: "topup", ...payment, now });
}

/**
 * The only way to change a locked withdrawal. The lifecycle decides; then the row, the audit entry, the ledger, the pool, the next transfer,
 * the event and the callback are written in the caller's transaction, all or nothing.
 */
export async function changeWithdrawal(
  tx: Database,
  before: Withdrawal,
  action: WithdrawalAction,
  now: Date,
  by: By = SYSTEM,
): Promise<Withdrawal> {
  const after = advanceWithdrawal(before, action, now);
  await saveWithdrawal(tx, after, now);
  await auditMove(tx, { by, kind: "withdrawal", from: before.step, after, status: withdrawalStatus(after), now });
  if (after.step === "paid") await changePoolTotal(tx, after.currency, -after.amountMinor, now);
  await postWithdrawal(tx, after, now);
  // The crypto goes back to its Safe, to the last base unit.
  if (after.step === "returning") await enqueueItsCrypto(tx, after, { purpose: "return", recipient: after.safeAddress, now });
  const { callback: event } = WITHDRAWAL_LIFECYCLE[action.type];
  await recordEvents(tx, [withdrawalEvent(after, now)]);
  await announceMove(tx, { order: after, callback: event && { event, body: renderWithdrawalCallback(after, event) }, now });
  return after;
}

type Way = { purpose: "sweep" | "return"; recipient: string; call?: TransferCall; now: Date };

/** Enqueues the transfer of a withdrawal's whole crypto: out of its Safe, or back into it. */
export async function enqueueItsCrypto(tx: Database, withdrawal: Withdrawal, way: Way): Promise<void> {
  const { id: ownerId, partnerId, chain, sourceCurrency: currency, sourceAmountBase: amountBase } = withdrawal;
  const { tokenAddress, tokenDecimals, trace } = withdrawal;
  await enqueueTransfer(tx, { ownerId, partnerId, chain, currency, tokenAddress, tokenDecimals, amountBase, trace, ...way });
}

type Move = { by: By; kind: "withdrawal" | "topup"; from: string; after: OrderFacts & { step: string }; status: FiatStatus; now: Date };

/** The audit entry of an order's move, named after its step, or after the cancellation. */
async function auditMove(tx: Database, { by, kind, from, after, status, now }: Move): Promise<void> {
  const { id: objectId, partnerId, step, failureReason: reason, txHash, cancelledAt } = after;
  const action = `${kind}.${cancelledAt === null ? step : "cancelled"}`;
  await insertAuditEntry(tx, { by, partnerId, action, objectId, reason, change: { from, step, status, tx_hash: txHash }, now });
}

type Announcement = { order: OrderFacts; callback: { event: CallbackEvent; body: string } | null; now: Date };

/** Enqueues the callback, if the transition has one and the partner wants it. */
async function announceMove(tx: Database, { order, callback, now }: Announcement): Promise<void> {
  const { id: subjectId, partnerId, apiKeyId, trace, callbackUrl: url } = order;
  if (callback !== null && url !== null) await enqueueCallback(tx, { partnerId, subjectId, apiKeyId, trace, ...callback, url, now });
}

/** The crypto of a top-up has reached the member, or never will. In the transaction that ends the transfer, like the two below. */
export async function completeTopup(tx: Database, transfer: Transfer): Promise<void> {
  const topup = await lockTopup(tx, transfer.ownerId);
  if (topup === null) throw new Error(`there is no top-up ${transfer.ownerId}`);
  const end = endOf(transfer);
  const action = "txHash" in end ? ({ type: "deliver", ...end } as const) : ({ type: "fail_delivery", ...end } as const);
  await changeTopup(tx, topup, action, await readBusinessNow(tx));
}

/** The crypto has left the Safe, and the provider is asked to pay; or it has not, and the withdrawal fails with nothing taken. */
export async function completeSweep(tx: Database, transfer: Transfer): Promise<void> {
  await complete(tx, transfer, (end) => ("txHash" in end ? { type: "take", ...end } : { type: "fail_sweep", ...end }));
}

/** The crypto is back in the Safe, or cannot be brought there. */
export async function completeReturn(tx: Database, transfer: Transfer): Promise<void> {
  await complete(tx, transfer, (end) => ("txHash" in end ? { type: "return", ...end } : { type: "fail_return", ...end }));
}

async function complete(tx: Database, transfer: Transfer, actionFor: (end: TransferEnd) => WithdrawalAction): Promise<Withdrawal> {
  const withdrawal = await lockWithdrawal(tx, transfer.ownerId);
  if (withdrawal === null) throw new Error(`there is no withdrawal ${transfer.ownerId}`);
  return await changeWithdrawal(tx, withdrawal, actionFor(endOf(transfer)), await readBusinessNow(tx));
}
