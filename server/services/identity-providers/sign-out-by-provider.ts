import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordSignOutOrder, revokeProviderSessions } from "#db/queries/identity-providers/identities.ts";
import { findProvider } from "#db/queries/identity-providers/providers.ts";
import { SYSTEM } from "#domain/access.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { Rejected } from "#server/ports.ts";
import { clientOf } from "./ask-provider.ts";
import { RefusedIdentity, recordRefused } from "./record-refused.ts";

export type SignOutByProvider = { providerId: string; token: string; baseUrl: string; address: string; requestId: string | null };

/**
 * Back-channel sign-out: a provider orders the end of one of its own sessions, or of all that a subject of its company has here. They end with their next
 * call. An order counts once.
 *
 * @throws RefusedIdentity. Unreachable.
 */
export async function signOutByProvider(
  ctx: Uses<"db" | "clock" | "vault" | "identityProviders">,
  { providerId, token, baseUrl, address, requestId }: SignOutByProvider,
): Promise<void> {
  const provider = isUuid(providerId) ? await findProvider(ctx.db, { id: providerId }) : null;
  try {
    if (provider === null) throw new RefusedIdentity("there is no such provider");
    const { jti, expiresAt, ...whose } = await ctx.identityProviders.readSignOut(clientOf(ctx, provider, baseUrl), token);
    const by = { ...SYSTEM, requestId };
    await ctx.db.transaction(async (tx) => {
      if (!(await recordSignOutOrder(tx, { providerId, jti, expiresAt }))) throw new RefusedIdentity("the order came before");
      const { partnerId } = provider;
      const ended = await revokeProviderSessions(tx, { issuer: provider.settings.issuer, partnerId, ...whose }, ctx.clock.now());
      for (const userId of new Set(ended.map((session) => session.userId))) {
        const change = { sessions_ended: ended.filter((session) => session.userId === userId).length, provider_id: providerId };
        await insertAuditEntry(tx, { by, partnerId, action: "user.signed_out_by_provider", objectId: userId, change });
      }
    });
  } catch (error) {
    const why = error instanceof RefusedIdentity || error instanceof Rejected ? error.message : null;
    if (why === null) throw error;
    await recordRefused(ctx, { provider, why, address, requestId });
    throw new RefusedIdentity(why);
  }
}
