import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { deleteIdentity, listIdentities } from "#db/queries/identity-providers/identities.ts";
import { findDuty, listProviders } from "#db/queries/identity-providers/providers.ts";
import type { ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

/** A person's identities, and their company's providers in force. */
export async function listOwnIdentities(ctx: Uses<"db">, { userId, partnerId }: { userId: string; partnerId: string | null }) {
  const [identities, providers] = await Promise.all([listIdentities(ctx.db, userId), listProviders(ctx.db, partnerId)]);
  return {
    identities: identities.map(({ settings, ...identity }) => ({ ...identity, provider: settings?.name ?? "" })),
    providers: providers.flatMap(({ provider: { id, settings } }) => (settings === null ? [] : [{ id, name: settings.name }])),
  };
}

/**
 * Unlinks one of the person's own identities. Sessions that it opened stay.
 *
 * @throws Refusal `not_found`, `step_up_required`, `conflict` where the person signs in with it alone.
 */
export async function unlinkIdentity(ctx: Uses<"db" | "clock">, { by, id }: { by: ByPerson; id: string }): Promise<void> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    if ((await findDuty(tx, partnerId)) !== null)
      throw new Refusal("conflict", { detail: "Your company signs in with its own identity alone, so it stays linked." });
    if (!isUuid(id) || !(await deleteIdentity(tx, { id, userId }))) throw new Refusal("not_found");
    await insertAuditEntry(tx, { by, partnerId, action: "user.identity_unlinked", objectId: userId, change: { identity_id: id } });
  });
}
