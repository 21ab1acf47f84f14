import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { decideHolds, lockOpenHolds, type PaymentHold, type PaymentOf, unholdTransfer } from "#db/queries/holds/payment-holds.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findTransferOf, lockTransfer, saveTransfer } from "#db/queries/transfers/transfers.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { nameActor } from "#server/services/proposals/propose.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import type { OnRelease } from "./check-kinds.ts";
import { countReleased } from "./limit-check.ts";

export type DecideHold = PaymentOf & { by: By; reason: string };

const ON_RELEASE: readonly OnRelease[] = [countReleased];

/**
 * An administrator releases a held payment: all its holds are lifted, and the same reason does not hold it again.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` where there is no payment; `invalid_state` when it is not held
 */
export async function releasePayment(ctx: Uses<"db" | "clock">, command: DecideHold): Promise<void> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  await ctx.db.transaction(async (tx) => {
    const { transfer, holds, now } = await lockHeld(tx, command);
    const by = await nameActor(tx, command.by);
    const decision = { at: now, by, reason: command.reason };
    await decideHolds(tx, idsOf(holds), "released", decision);
    await note(tx, command, { transfer, holds, now, action: "payment.released" });
    for (const handle of ON_RELEASE) await handle(tx, { transfer, holds, now });
    await unholdTransfer(tx, transfer.id);
  });
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
  if (transfer.state !== "queued" || holds.length === 0) throw new Refusal("invalid_state", { detail: "The payment is not held." });
  return { transfer, holds, now: await readBusinessNow(tx) };
}

const idsOf = (holds: readonly PaymentHold[]) => holds.map(({ id }) => id);

/** Who decides on holds is internal to the operator: the partner sees only the outcome. */
async function note(tx: Database, { by, reason }: DecideHold, { transfer, holds, now, action }: Held & { action: string }): Promise<void> {
  const change = { transfer_id: transfer.id, checks: holds.map(({ check }) => check), keys: holds.flatMap(({ keys }) => keys) };
  await insertAuditEntry(tx, { by, partnerId: null, action, objectId: transfer.ownerId, reason, change, now });
}
