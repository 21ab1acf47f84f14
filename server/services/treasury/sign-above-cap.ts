import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { hasAskedFor } from "#db/queries/proposals/peoples-signatures.ts";
import { listSupersededPlaces } from "#db/queries/transfers/signing-journal.ts";
import { lookNow } from "#db/queries/transfers/wishes.ts";
import { ABOVE_CAP_SIGNERS, aboveCapDecision, placeText } from "#domain/above-cap.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { waitsForCap } from "#domain/signer-caps.ts";
import type { Uses } from "#server/context.ts";
import { keepSignature } from "#server/services/proposals/keep-signature.ts";
import { refuseUnlessYesCounts } from "#server/services/proposals/refuse-unless-counts.ts";
import { findCapSigners } from "#server/services/transfers/find-above-cap.ts";
import { auditOrder, type TreasuryOrder } from "./audit-order.ts";
import { lockExistingTransfer } from "./hold-transfer.ts";

type Command = TreasuryOrder & { transferId: string };

/**
 * An admin signs that one payment goes above a cap of the signer. With the second admin's signature the signer pays it; the signer verifies
 * both itself. The passkey signs the payment's content and what it replaces, so the signatures are of no use for another one, nor once more
 * for the same.
 *
 * @returns how many have signed
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state` where the payment waits for no cap, `same_approver`,
 * `passkey_required` (with the decision)
 */
export async function signAboveCap(
  ctx: Uses<"db" | "clock" | "mode" | "passkeys">,
  command: Command,
): Promise<{ signed: number; needed: number }> {
  const { by, transferId } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    const transfer = await lockExistingTransfer(tx, transferId);
    const period = waitsForCap(transfer.waitingReason);
    if (period === null) throw new Refusal("invalid_state", { detail: "The payment does not wait for a cap of the signer." });
    await refuseAsker(tx, command);
    const before = (await listSupersededPlaces(tx, transfer.id)).at(-1);
    const replaces = before === undefined ? null : placeText({ wallet: before.walletAddress, nonce: before.nonce });
    const found = await findCapSigners({ ...ctx, db: tx }, [{ transfer, period, replaces }]);
    const signers = found.get(transfer.id)?.signers ?? [];
    const now = await readBusinessNow(tx);
    const signed = signers.map((id) => ({ type: "user" as const, id }));
    await refuseUnlessYesCounts({ ...ctx, db: tx }, { before: signed, by, now });
    const decision = aboveCapDecision(transfer, period, replaces);
    await keepSignature({ ...ctx, db: tx }, { by, objectId: transfer.id, decision });
    await auditOrder(tx, command, {
      action: "transfer.signed_above_cap",
      objectId: transfer.id,
      change: { owner_id: transfer.ownerId, cap_period: period, ...(replaces !== null && { replaces }) },
      now,
    });
    await lookNow(tx, transfer.id);
    return { signed: signers.length + 1, needed: ABOVE_CAP_SIGNERS };
  });
}

/** Also for a key that counts as the person. */
async function refuseAsker(tx: Database, { by: { actor }, transferId }: Command): Promise<void> {
  if (actor.type === "user" && (await hasAskedFor(tx, { userId: actor.userId, transferId })))
    throw new Refusal("same_approver", { detail: "You have asked for this payment. Another person must sign it." });
}
