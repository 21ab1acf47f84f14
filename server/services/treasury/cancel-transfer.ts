import { transferCancellationBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { endHolds } from "#db/queries/holds/payment-holds.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lookAtOnce } from "#db/queries/transfers/transactions.ts";
import { findTransfer, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { saveWish } from "#db/queries/transfers/wishes.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { type Order, type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { showPayment } from "#server/services/transfers/show-payment.ts";
import { auditOrder, type TreasuryOrder } from "./audit-order.ts";
import { lockExistingTransfer, refuseUnlessOnItsWay } from "./hold-transfer.ts";

type Body = ReturnType<typeof transferCancellationBody.parse>;

/** In live mode two people end a payment that is owed. */
export const transferCancellation = (onFinal: OnFinal): ProposalKind<Body, Transfer, object> => ({
  kind: "transfer_cancellation",
  permission: "administer",
  schema: transferCancellationBody,
  show: (body) => body,
  carryOut: (ctx, order) => cancel(ctx.db, order, onFinal),
});

/**
 * Cancels a transfer by an operator's decision. A queued one, for which nothing was signed, fails at once, and its owner with it. For one
 * in flight the worker sends an empty transaction to our own wallet under the same nonce; the chain decides which of the two is mined. In
 * live mode a second person confirms it.
 *
 * @returns null while it waits for the second person
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `conflict` when that is proposed already; `invalid_state` once it is in a
 * block, final or under review
 */
export async function cancelTransfer(
  ctx: Uses<"db" | "clock" | "mode">,
  command: TreasuryOrder & { transferId: string; onFinal: OnFinal },
): Promise<Transfer | null> {
  const { by, reason, transferId, onFinal } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const transfer = await findTransfer(ctx.db, transferId);
  if (transfer === null) throw new Refusal("not_found", { detail: "There is no such transfer." });
  if (transfer.state !== "queued") refuseUnlessOnItsWay(transfer);
  const proposed = { by, subject: transferId, body: showPayment(transfer), reason };
  return (await propose(ctx, transferCancellation(onFinal), proposed)).result;
}

async function cancel(tx: Database, { by, proposer, reason, body }: Order<Body>, onFinal: OnFinal): Promise<Transfer> {
  const transfer = await lockExistingTransfer(tx, body.transfer_id);
  const now = await readBusinessNow(tx);
  const order = { by, reason: reason ?? "" };
  const note = { objectId: transfer.id, change: { owner_id: transfer.ownerId, asked_by: proposer.id }, now };
  if (transfer.state === "queued") {
    const failed = advanceTransfer(transfer, { type: "withdraw", reason: "An operator cancelled the payment before it was made." }, now);
    await saveTransfer(tx, failed, now);
    await endHolds(tx, failed, now);
    await auditOrder(tx, order, { ...note, action: "transfer.cancelled" });
    await onFinal(tx, [failed]);
    return failed;
  }
  refuseUnlessOnItsWay(transfer);
  if (transfer.cancelRequestedAt !== null) return transfer;
  await saveWish(tx, transfer.id, "cancel", now);
  await lookAtOnce(tx, [transfer.id]);
  await auditOrder(tx, order, { ...note, action: "transfer.cancel_requested" });
  return { ...transfer, cancelRequestedAt: now };
}
