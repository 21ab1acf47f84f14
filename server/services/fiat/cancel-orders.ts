import type { Database } from "#db/client.ts";
import { readTalk } from "#db/queries/fiat/fiat-work.ts";
import { lockTopup } from "#db/queries/fiat/topups.ts";
import { endCancelledSweep, lockWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { inTransaction } from "#db/transaction.ts";
import type { By } from "#domain/access.ts";
import type { FiatStatus } from "#domain/fiat.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import { allowsTopup, type Topup, topupStatus } from "#domain/topup.ts";
import type { Transfer } from "#domain/transfer.ts";
import { allowsWithdrawal, type Withdrawal, withdrawalStatus } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";
import { changeTopup, changeWithdrawal } from "./change-orders.ts";

export type CancelOrder = { partnerId: string; by: By; id: string };

/**
 * Cancels a withdrawal whose crypto is still in its Safe: no worker takes it, or its sweep waits and nothing was signed for it. The pool is
 * free again. One that is cancelled already is returned as it is.
 *
 * @throws Refusal `not_found`, for a foreign id just as for one that never existed; `invalid_state` once a worker signs the sweep.
 */
export async function cancelWithdrawal(ctx: Uses<"db">, { id, partnerId, by }: CancelOrder): Promise<Withdrawal> {
  return await inTransaction(ctx.db, async (tx) => {
    const withdrawal = isId("withdrawal", id) ? await lockWithdrawal(tx, id, partnerId) : null;
    if (withdrawal === null) throw new Refusal("not_found", { detail: "There is no such withdrawal." });
    if (withdrawal.cancelledAt !== null) return withdrawal;
    const moved = () => hasMoved(withdrawalStatus(withdrawal), "The withdrawal's crypto is taken, or about to be, or it has ended.");
    const action = withdrawal.step === "sweeping" ? "cancel_sweep" : "cancel";
    if (!allowsWithdrawal(withdrawal.step, action)) throw moved();
    const cancelled = await changeWithdrawal(tx, withdrawal, { type: action }, await readBusinessNow(tx), by);
    if (action === "cancel_sweep" && !(await endCancelledSweep(tx, withdrawal))) throw moved();
    return cancelled;
  });
}

/**
 * Cancels a top-up that the provider was never asked to collect. One that is cancelled already is returned as it is.
 *
 * @throws Refusal `not_found`, for a foreign id just as for one that never existed; `invalid_state` once the provider may have it, because
 * the payer may then pay.
 */
export async function cancelTopup(ctx: Uses<"db">, { id, partnerId, by }: CancelOrder): Promise<Topup> {
  return await inTransaction(ctx.db, async (tx) => {
    const topup = isId("topup", id) ? await lockTopup(tx, id, partnerId) : null;
    if (topup === null) throw new Refusal("not_found", { detail: "There is no such top-up." });
    if (topup.cancelledAt !== null) return topup;
    if (!allowsTopup(topup.step, "cancel") || (await wasGiven(tx, id)))
      throw hasMoved(topupStatus(topup), "The provider was asked to collect the top-up, so the payer may pay it, or it has ended.");
    return await changeTopup(tx, topup, { type: "cancel" }, await readBusinessNow(tx), by);
  });
}

/** Whether a withdrawal looks as if it could be cancelled: a worker may take it the next moment. `sweep`: its payment, if it has one. */
export function mayCancelWithdrawal({ step }: Withdrawal, sweep: Pick<Transfer, "state"> | null): boolean {
  return allowsWithdrawal(step, "cancel") || (allowsWithdrawal(step, "cancel_sweep") && sweep?.state === "queued");
}

/** As {@link mayCancelWithdrawal}, of a top-up. `acceptedAt`: when the provider took it. */
export function mayCancelTopup({ step }: Topup, acceptedAt: Date | null): boolean {
  return allowsTopup(step, "cancel") && acceptedAt === null;
}

/** Whether the provider may have a locked top-up. */
async function wasGiven(tx: Database, id: string): Promise<boolean> {
  const { givenSecondsAgo, acceptedAt } = await readTalk(tx, "topups", id);
  return givenSecondsAgo !== null || acceptedAt !== null;
}

function hasMoved(status: FiatStatus, detail: string): Refusal {
  return new Refusal("invalid_state", { detail, members: { order_status: status } });
}
