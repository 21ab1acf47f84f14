import { listCallbackSecrets } from "#db/queries/callbacks/callback-secrets.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

/** How the partner's callbacks are signed: since when, and until when also under the secret before. Real time. */
export type CallbackSecretState = { since: Date | null; previousUntil: Date | null };

/**
 * The state of a partner's callback secret, never the secret.
 *
 * @throws Refusal `not_found`.
 */
export async function readCallbackSecret(ctx: Uses<"db" | "clock">, partnerId: string): Promise<CallbackSecretState> {
  if (!isUuid(partnerId) || (await findPartner(ctx.db, partnerId)) === null) throw new Refusal("not_found");
  const [current, previous] = await listCallbackSecrets(ctx.db, partnerId, ctx.clock.now());
  return { since: current?.createdAt ?? null, previousUntil: previous?.expiresAt ?? null };
}
