import type { Database } from "#db/client.ts";
import { lockTopup } from "#db/queries/fiat/topups.ts";
import { lockWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { endOf, type Transfer, type TransferEnd } from "#domain/transfer.ts";
import type { Withdrawal, WithdrawalAction } from "#domain/withdrawal.ts";
import { changeTopup } from "./change-topup.ts";
import { changeWithdrawal } from "./change-withdrawal.ts";

/** The crypto of a top-up has reached the member, or never will. In the transaction that ends the transfer, like the two below. */
export async function completeTopup(tx: Database, transfer: Transfer): Promise<void> {
  const topup = await lockTopup(tx, transfer.ownerId);
  if (topup === null) throw new Error(`there is no top-up ${transfer.ownerId}`);
  const end = endOf(transfer);
  const action = "txHash" in end ? ({ type: "deliver", ...end } as const) : ({ type: "fail_delivery", ...end } as const);
  await changeTopup(tx, topup, action, await readBusinessNow(tx));
}

/** The crypto has left the Safe, and the provider is told to pay; or it has not, and the withdrawal fails with nothing taken. */
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
