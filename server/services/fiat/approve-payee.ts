import type { Database } from "#db/client.ts";
import { findMaker } from "#db/queries/access/key-makers.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findRequester } from "#db/queries/fiat/requester.ts";
import { approvePayeeOf, findWithdrawal, lockWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { listPayoutWaits } from "#db/queries/holds/ended-waits.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type ByPerson, mayAsPartner } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { refuseNewOwner } from "#server/services/access/refuse-new-owner.ts";

export type ApprovePayee = { by: ByPerson; partnerId: string; id: string };

/**
 * An owner says yes to the payee of a withdrawal that waits because its partner has not paid that account before. A worker then ends the
 * wait of every payout of the partner to it; all other limits are judged again. A repeat changes nothing.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` for another partner's, `invalid_state` when it does not wait for that; in
 * live mode `same_person` for the owner who asked for the payout, or made the key that did, and `same_approver` for an owner of less than a day.
 */
export async function approvePayee(ctx: Uses<"db" | "clock" | "mode">, { by, partnerId, id }: ApprovePayee): Promise<void> {
  if (!mayAsPartner(by.actor, "move_fiat")) throw new Refusal("forbidden", { detail: "Your role does not include this." });
  refuseUnlessProven(by, ctx.clock.now());
  const found = isId("withdrawal", id) ? await findWithdrawal(ctx.db, id, partnerId) : null;
  if (found === null) throw new Refusal("not_found", { detail: "There is no such withdrawal." });
  await ctx.db.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id);
    if (withdrawal === null) throw new Refusal("not_found");
    if (ctx.mode === "live") await refuseAsker(tx, id, by.actor.userId);
    const wait = withdrawal.step === "sweeping" ? (await listPayoutWaits(tx, [id])).get(id) : undefined;
    if (wait?.reason !== "new_payee") throw new Refusal("invalid_state", { detail: "It does not wait for a yes to its payee." });
    const now = await readBusinessNow(tx);
    await refuseNewOwner(tx, { mode: ctx.mode, userId: by.actor.userId, now });
    if (!(await approvePayeeOf(tx, id, { userId: by.actor.userId, now }))) return;
    const change = { account: withdrawal.destination.account, name: withdrawal.destination.name };
    await insertAuditEntry(tx, { by, partnerId, action: "withdrawal.payee_approved", objectId: id, change, now });
  });
}

async function refuseAsker(tx: Database, id: string, userId: string): Promise<void> {
  const asker = await findRequester(tx, id);
  const person = asker === null || asker.type === "user" ? asker?.id : await findMaker(tx, asker.id);
  if (person === userId)
    throw new Refusal("same_person", {
      detail: "You asked for this payout, or made the key that did. Another owner must decide, or it waits.",
    });
}
