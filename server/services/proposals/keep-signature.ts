import { randomUUID } from "node:crypto";
import { findKeyAge, insertSignature } from "#db/queries/proposals/decision-signatures.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { recordOf } from "#domain/signed-approval.ts";
import type { Decision } from "#domain/signed-decision.ts";
import { OLD_ENOUGH_MS } from "#domain/two-people.ts";
import type { Uses } from "#server/context.ts";

/**
 * Stores the signature of a decision with it, in its transaction (docs/decisions/signed-decisions.md). The decision is made from what is
 * about to happen, so a signature of anything else does not fit. `objectId`: the settlement, the batch, the proposal, the transfer or the treasury withdrawal.
 *
 * @throws Refusal `passkey_required` (with the decision) without a signature by that person of exactly this decision, alone or among many; in live mode also for a passkey that is
 * younger than a day
 */
export async function keepSignature(
  ctx: Uses<"db" | "clock" | "mode">,
  { by, objectId, decision }: { by: By; objectId: string; decision: Decision },
): Promise<void> {
  const { actor, signature } = by;
  if (actor.type !== "user")
    throw new Refusal("passkey_required", { detail: "A person must sign this decision with a passkey, in the console." });
  const record = signature ? recordOf(signature.record, decision) : null;
  if (!signature || record === null || signature.userId !== actor.userId) {
    const detail = signature
      ? "What you signed is no longer what would happen. Look at it again, and sign it again."
      : "This decision must be signed with a passkey, in the console.";
    throw new Refusal("passkey_required", { detail, decision });
  }
  const now = ctx.clock.now();
  const registeredAt = await findKeyAge(ctx.db, signature);
  if (registeredAt === null)
    throw new Refusal("passkey_required", { detail: "The passkey is not registered. Add it again under Account." });
  if (ctx.mode === "live" && now.getTime() - registeredAt.getTime() < OLD_ENOUGH_MS)
    throw new Refusal("passkey_required", {
      detail: "A passkey signs decisions from a day after it was added. Another person must decide.",
    });
  await insertSignature(ctx.db, { ...signature, id: randomUUID(), action: record.action, objectId, signedAt: now });
}
