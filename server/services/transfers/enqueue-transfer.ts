import type { Database } from "#db/client.ts";
import { insertSettlementTransfers, insertTransferOnce } from "#db/queries/transfers/insert-once.ts";
import { intentOf } from "#domain/evm-intent.ts";
import { newId } from "#domain/ids.ts";
import { senderOf, type Transfer, type TransferCall } from "#domain/transfer.ts";

type PaymentFields =
  | "purpose"
  | "ownerId"
  | "partnerId"
  | "chain"
  | "currency"
  | "tokenAddress"
  | "tokenDecimals"
  | "amountBase"
  | "recipient";
/**
 * `call`: a contract call in the plain payment's place (a sweep, a deployment). `sender`: the only wallet that may make a plain payment.
 * `trace`: its owner's. `now`: business time.
 */
export type EnqueueTransfer = Pick<Transfer, PaymentFields | "sender"> & { call?: TransferCall; trace?: string | null; now: Date };

/**
 * Enqueues a transfer, in the caller's transaction, and wakes the worker on commit. Idempotent: a purpose and owner have one transfer for
 * ever, and a repeat changes nothing. Returns the transfer as it was to be stored.
 *
 * @throws Error when a repeat differs from the existing transfer: a defect, and the transaction must not commit.
 */
export async function enqueueTransfer(tx: Database, owed: EnqueueTransfer): Promise<Transfer> {
  const transfer = newTransfer(owed);
  await insertTransferOnce(tx, transfer, (existing) => refuseAnother(existing, transfer));
  return transfer;
}

/** The same of settlements' payments, however many, in one statement. */
export async function enqueueSettlementTransfers(tx: Database, owed: readonly Transfer[]): Promise<void> {
  await insertSettlementTransfers(tx, owed, refuseAnother);
}

function refuseAnother(existing: Transfer, wanted: Transfer): void {
  if (!isSamePayment(existing, wanted)) throw new Error(`${wanted.ownerId} is already owed another ${wanted.purpose} transfer`);
}

function isSamePayment(left: Transfer, right: Transfer): boolean {
  const payment = (transfer: Transfer) => {
    const { to, valueBase, data } = intentOf(transfer);
    const parts = [transfer.chain, transfer.currency, transfer.amountBase, transfer.recipient, to, valueBase, data, senderOf(transfer)];
    return parts.join(" ").toLowerCase();
  };
  return payment(left) === payment(right);
}

/** A transfer as it is first stored. */
export function newTransfer(owed: EnqueueTransfer): Transfer {
  const { now, call, trace, ...payment } = owed;
  return {
    ...payment,
    id: newId("transfer", now),
    call: call ?? null,
    state: "queued",
    waitingReason: null,
    reviewReason: null,
    failureReason: null,
    txHash: null,
    blockNumber: null,
    blockHash: null,
    cancelRequestedAt: null,
    bumpRequestedAt: null,
    trace: trace ?? null,
    createdAt: now,
    executedAt: null,
  };
}
