import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { type DirectoryUser, updateDirectoryUser } from "#db/queries/identity-providers/directory.ts";
import { findIdentity } from "#db/queries/identity-providers/identities.ts";
import type { ProviderInForce } from "#db/queries/identity-providers/providers.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { lockManagers, lockUser, updateUser } from "#db/queries/people/users.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { endInvitationsBy } from "#server/services/people/invitations/invitations.ts";
import { isLastWayIn } from "./last-way-in.ts";

/** A directory may not shut out the last person who lets others in. */
export class LastWayIn extends Refusal {
  constructor() {
    super("forbidden", { detail: "This is the last person who can let others in here. Give that right to another person first." });
  }
}

type Followed = { provider: ProviderInForce; user: DirectoryUser; by: By };

/**
 * Makes the person what the directory says of them, in the directory's own transaction. One who is no longer active is shut out as by an
 * admin: sessions and tokens end with their next call, and approvals of theirs, and of keys that they made, no longer count. The directory
 * lets in again only whom it shut out itself.
 *
 * @throws LastWayIn
 */
export async function followDirectory(ctx: Uses<"db" | "clock">, { provider, user, by }: Followed): Promise<void> {
  const { db: tx } = ctx;
  const identity = user.externalId === null ? null : await findIdentity(tx, provider.settings.issuer, user.externalId);
  // A manager's right is taken under the same lock as by people.
  const managers = await lockManagers(tx, provider.partnerId);
  const person = identity && (await lockUser(tx, identity.userId));
  if (person === null || person.partnerId !== provider.partnerId) return;
  const { id: userId, email, partnerId } = person;
  if (!user.active) {
    if (person.disabledAt !== null) return;
    if (await isLastWayIn(tx, { partnerId, managers, userId })) throw new LastWayIn();
    const [realNow, now] = [ctx.clock.now(), await readBusinessNow(tx)];
    await updateUser(tx, userId, { disabledAt: now });
    await updateDirectoryUser(tx, user.id, { shutOutAt: now });
    const ended = await revokeSessionsOf(tx, userId, null, realNow);
    await revokeTokensOf(tx, userId, realNow);
    const change = { email, disabled: true, by_directory: true, sessions_ended: ended };
    await insertAuditEntry(tx, { by, partnerId, action: "user.disabled", objectId: userId, change, now });
    await endInvitationsBy(tx, { by, inviterId: userId, realNow, now });
  } else if (person.disabledAt !== null && user.shutOutAt?.getTime() === person.disabledAt.getTime()) {
    await updateUser(tx, userId, { disabledAt: null });
    await updateDirectoryUser(tx, user.id, { shutOutAt: null });
    const change = { email, disabled: false, by_directory: true };
    await insertAuditEntry(tx, { by, partnerId, action: "user.enabled", objectId: userId, change });
  }
}
