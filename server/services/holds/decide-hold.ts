import { paymentReleaseBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { decideHolds, listHoldsOf, lockOpenHolds, type PaymentHold, type PaymentOf } from "#db/queries/holds/payment-holds.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findTransferOf, lockTransfer, saveTransfer } from "#db/queries/transfers/transfers.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { nameActor, type Order, type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { showPayment } from "#server/services/transfers/show-payment.ts";
import type { OnRelease } from "./check-kinds.ts";
import { countReleased } from "./limit-check.ts";
import { unholdPayment } from "./record-holds.ts";

export type DecideHold = PaymentOf & { by: By; reason: string };

const ON_RELEASE: readonly OnRelease[] = [countReleased];

type Body = ReturnType<typeof paymentReleaseBody.parse>;

/** In live mode two people release a held payment, from the holds that both have seen. */
export const PAYMENT_RELEASE: ProposalKind<Body, Transfer, object> = {
  kind: "payment_release",
  isSigned: true,
  permission: "administer",
  schema: paymentReleaseBody,
  show: ({ holds, ...rest }) => ({ ...rest, holds: holds.map(({ check, reason }) => `${check}: ${reason}`).join(" ") }),
  carryOut: (ctx, order) => release(ctx.db, order),
};

/**
 * An administrator releases a held payment: all its holds are lifted, and the same reason does not hold it again. In live mode a second
 * person confirms it, and no key releases (contract, part 10: Separation).
 *
 * @returns false while it waits for the second person
 * @throws Refusal `forbidden`, `step_up_required`, `person_required`, `not_found` where there is no payment; `invalid_state` when it is not
 * held; `conflict` when its release is proposed already
 */
export async function releasePayment(ctx: Uses<"db" | "clock" | "mode">, command: DecideHold): Promise<boolean> {
  const { by, purpose, ownerId, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  if (ctx.mode === "live" && by.actor.type !== "user") throw new Refusal("person_required", { detail: "A person must release it." });
  const transfer = await findTransferOf(ctx.db, purpose, ownerId);
  if (transfer === null) throw new Refusal("not_found", { detail: "It has no payment." });
  const holds = (await listHoldsOf(ctx.db, [ownerId])).filter((hold) => hold.purpose === purpose && hold.outcome === "open");
  if (transfer.state !== "queued" || holds.length === 0) throw notHeld();
  const named = holds.map(({ id, check, reason: why }) => ({ id, check, reason: why }));
  const body = { ...showPayment(transfer), purpose, holds: named };
  return (await propose(ctx, PAYMENT_RELEASE, { by, subject: transfer.id, body, reason })).result !== null;
}

async function release(tx: Database, { by, proposer, reason, body }: Order<Body>): Promise<Transfer> {
  const { purpose, owner_id: ownerId } = body;
  const command = { by, purpose, ownerId, reason: reason ?? "" };
  const { transfer, holds, now } = await lockHeld(tx, command);
  if (holds.some(({ id }) => !body.holds.some((named) => named.id === id)))
    throw new Refusal("invalid_state", {
      detail: "It has been held for another reason since. Withdraw the proposal, and propose it again.",
    });
  await decideHolds(tx, idsOf(holds), "released", { at: now, by: proposer, reason: command.reason });
  await note(tx, command, { transfer, holds, now, action: "payment.released", askedBy: proposer.id });
  for (const handle of ON_RELEASE) await handle(tx, { transfer, holds, now });
  await unholdPayment(tx, transfer, now);
  return transfer;
}

/**
 * An administrator refuses a held payment: nothing was signed, and it fails, with a reason that its partner can read.
 *
 * @throws Refusal as {@link releasePayment}
 */
export async function refusePayment(ctx: Uses<"db" | "clock">, command: DecideHold & { onFinal: OnFinal }): Promise<void> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  await ctx.db.transaction(async (tx) => {
    const { transfer, holds, now } = await lockHeld(tx, command);
    const by = await nameActor(tx, command.by);
    await decideHolds(tx, idsOf(holds), "refused", { at: now, by, reason: command.reason });
    await note(tx, command, { transfer, holds, now, action: "payment.refused" });
    const failed = advanceTransfer(transfer, { type: "withdraw", reason: command.reason }, now);
    await saveTransfer(tx, failed, now);
    await command.onFinal(tx, [failed]);
  });
}

type Held = { transfer: Transfer; holds: readonly PaymentHold[]; now: Date };

async function lockHeld(tx: Database, payment: PaymentOf): Promise<Held> {
  const found = await findTransferOf(tx, payment.purpose, payment.ownerId);
  const transfer = found && (await lockTransfer(tx, found.id));
  if (transfer === null) throw new Refusal("not_found", { detail: "It has no payment." });
  const holds = await lockOpenHolds(tx, payment);
  if (transfer.state !== "queued" || holds.length === 0) throw notHeld();
  return { transfer, holds, now: await readBusinessNow(tx) };
}

const notHeld = () => new Refusal("invalid_state", { detail: "The payment is not held." });

const idsOf = (holds: readonly PaymentHold[]) => holds.map(({ id }) => id);

/** Who decides on holds is internal to the operator: the partner sees only the outcome. */
async function note(tx: Database, { by, reason }: DecideHold, noted: Held & { action: string; askedBy?: string }): Promise<void> {
  const { transfer, holds, now, action, askedBy } = noted;
  const about = { transfer_id: transfer.id, checks: holds.map(({ check }) => check), keys: holds.flatMap(({ keys }) => keys) };
  const change = { ...about, ...(askedBy && { asked_by: askedBy }) };
  await insertAuditEntry(tx, { by, partnerId: null, action, objectId: transfer.ownerId, reason, change, now });
}
