import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { endCallbackSecrets, insertCallbackSecret } from "#db/queries/callbacks/callback-secrets.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockPartner } from "#db/queries/partners/partners.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { callbackSecretOf } from "#domain/sealed-place.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { newCallbackSecret } from "#domain/signing.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { isOperators } from "./create-api-key.ts";

export type RotateCallbackSecret = { by: By; partnerId: string /** Real time; 0: the old secret ends at once. */; overlapSeconds: number };
export type RotatedCallbackSecret = { callbackSecret: string; previousExpiresAt: Date | null };

/**
 * A new secret for the partner's callbacks, shown only once. During the overlap callbacks carry two signatures (contract, part 4). A secret
 * that was already in an overlap ends at once, so that there are never three.
 *
 * @throws Refusal `step_up_required`, `not_found`; in live mode `forbidden` for the operator's side, which must not see the secret.
 */
export async function rotateCallbackSecret(
  ctx: Uses<"db" | "clock" | "vault" | "mode">,
  { by, partnerId, overlapSeconds }: RotateCallbackSecret,
): Promise<RotatedCallbackSecret> {
  refuseUnlessProven(by, ctx.clock.now());
  if (ctx.mode === "live" && isOperators(by))
    throw new Refusal("forbidden", { detail: "The partner rotates its callback secret: anyone who sees it can sign callbacks." });
  return await ctx.db.transaction(async (tx) => {
    const partner = isUuid(partnerId) ? await lockPartner(tx, partnerId) : null;
    if (partner === null) throw new Refusal("not_found", { detail: "There is no such partner." });
    const now = ctx.clock.now();
    const previousExpiresAt = await endCallbackSecrets(tx, partner.id, new Date(now.getTime() + overlapSeconds * 1_000), now);
    const callbackSecret = newCallbackSecret();
    const sealedSecret = ctx.vault.seal(callbackSecret, callbackSecretOf(partner.id));
    await insertCallbackSecret(tx, { id: randomUUID(), partnerId: partner.id, sealedSecret, createdAt: now });
    await insertAuditEntry(tx, {
      by,
      partnerId: partner.id,
      action: "callback_secret.rotated",
      objectId: partner.id,
      change: { previous_expires_at: previousExpiresAt?.toISOString() ?? null },
      now: await readBusinessNow(tx),
    });
    return { callbackSecret, previousExpiresAt };
  });
}
