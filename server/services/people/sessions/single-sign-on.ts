import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findDuty } from "#db/queries/identity-providers/providers.ts";
import type { UserRecord } from "#db/queries/people/users.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

type SignIn = { user: UserRecord; isPasskey: boolean; address: string; requestId: string | null };

/**
 * Where a side's people sign in with their company's identity alone, only its two named people may use password and passkey, for the day the
 * provider is gone. Each use notifies all who manage the side.
 *
 * @throws Refusal `single_sign_on_required`.
 */
export async function refuseUnlessPasswordServes(ctx: Uses<"db">, { user, isPasskey, address, requestId }: SignIn): Promise<void> {
  const duty = await findDuty(ctx.db, user.partnerId);
  if (duty === null) return;
  if (!isPasskey || !duty.settings.keeperIds.includes(user.id)) throw new Refusal("single_sign_on_required");
  const { id: userId, role, partnerId, name } = user;
  await insertAuditEntry(ctx.db, {
    by: { actor: { type: "user", userId, role, partnerId }, requestId },
    partnerId,
    action: "user.keeper_signed_in",
    objectId: userId,
    change: { name, address, provider_id: duty.id },
  });
}
