import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { groupsOfSubject, isShutOutByDirectory } from "#db/queries/identity-providers/directory.ts";
import { findIdentity, type IdentityRecord, insertIdentity, recordIdentityUse } from "#db/queries/identity-providers/identities.ts";
import type { ProviderInForce } from "#db/queries/identity-providers/providers.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { findUser, insertUser, lockManagers, lockUser, type UserRecord, updateUser } from "#db/queries/people/users.ts";
import { type By, fitsSide, SYSTEM, type UserRole } from "#domain/access.ts";
import { type Claims, roleByGroups } from "#domain/identity-provider.ts";
import type { Uses } from "#server/context.ts";
import { endInvitationsBy } from "#server/services/people/invitations/invitations.ts";
import { decidingRoleOf } from "#server/services/people/invitations/invite-person.ts";
import { isLastWayIn } from "./last-way-in.ts";
import { RefusedIdentity } from "./record-refused.ts";

type Admit = { provider: ProviderInForce; claims: Claims; requestId: string | null; newPasswordHash: string };

/** Nobody knows the password of a person whom a provider has made. */
export async function unknownPassword(ctx: Uses<"passwords">): Promise<string> {
  return await ctx.passwords.hash(randomBytes(32).toString("base64url"));
}

/**
 * Whose identity it is, with the role that the groups give at this moment. The first time, a person is made from the groups; an equal
 * e-mail address joins nobody.
 *
 * @throws RefusedIdentity
 */
export async function admitIdentity(
  ctx: Uses<"db" | "clock" | "mode">,
  { provider, claims, requestId, newPasswordHash }: Admit,
): Promise<{ user: UserRecord; identity: IdentityRecord }> {
  const { db: tx } = ctx;
  const { issuer, roles } = provider.settings;
  if (await isShutOutByDirectory(tx, provider.id, claims.subject)) throw new RefusedIdentity("the directory has shut the person out");
  const groups = [...claims.groups, ...(await groupsOfSubject(tx, provider.id, claims.subject))];
  const role = roleByGroups(roles, groups);
  const identity = await findIdentity(tx, issuer, claims.subject);
  // Several companies may have the same issuer: none says anything about another one's person.
  const holder = identity === null ? null : await findUser(tx, identity.userId);
  if (holder !== null && holder.partnerId !== provider.partnerId) throw new RefusedIdentity("the person belongs to another company");
  if (role === null || !fitsSide(role, provider.partnerId)) {
    throw new RefusedIdentity("none of the groups gives access", { cause: identity?.userId });
  }
  const by: By = { ...SYSTEM, requestId };
  if (identity === null) return await makePerson(ctx, { provider, claims, role, by, newPasswordHash });
  // A manager's right is taken under the same lock as by people.
  const managers = await lockManagers(tx, provider.partnerId);
  const user = await lockUser(tx, identity.userId);
  if (user === null || user.disabledAt !== null) throw new RefusedIdentity("the person is shut out here");
  await recordIdentityUse(tx, identity.id, ctx.clock.now());
  if (role === user.role) return { user, identity };
  if (await isLastWayIn(tx, { partnerId: user.partnerId, managers, userId: user.id })) return { user, identity };
  if (waitsForTwo(ctx, role, user)) {
    await enterWait(tx, { by, user, role });
    return { user, identity };
  }
  return { user: await putRole(ctx, { by, user, role }), identity };
}

/** Ends what a person who lost all groups still has open. */
export async function endSessionsWithoutAccess(ctx: Uses<"db" | "clock">, userId: string): Promise<void> {
  await revokeSessionsOf(ctx.db, userId, null, ctx.clock.now());
}

/** In live mode a provider alone makes nobody of the operator's who decides: two people do, under People. */
function waitsForTwo({ mode }: Uses<"mode">, role: UserRole, user: { role: UserRole; partnerId: string | null }): boolean {
  return mode === "live" && user.partnerId === null && decidingRoleOf(role) !== null && user.role !== "admin";
}

async function enterWait(tx: Database, { by, user, role }: { by: By; user: UserRecord; role: UserRole }): Promise<void> {
  const change = { email: user.email, role: { from: user.role, to: role } };
  await insertAuditEntry(tx, { by, partnerId: user.partnerId, action: "user.role_waits", objectId: user.id, change });
}

async function putRole(ctx: Uses<"db" | "clock">, { by, user, role }: { by: By; user: UserRecord; role: UserRole }): Promise<UserRecord> {
  const { id: userId, partnerId } = user;
  const now = await readBusinessNow(ctx.db);
  await updateUser(ctx.db, userId, { role });
  const change = { email: user.email, role: { from: user.role, to: role }, by_groups: true };
  await insertAuditEntry(ctx.db, { by, partnerId, action: "user.role_changed", objectId: userId, change, now });
  await endInvitationsBy(ctx.db, { by, inviterId: userId, realNow: ctx.clock.now(), now });
  return { ...user, role };
}

type NewPerson = { provider: ProviderInForce; claims: Claims; role: UserRole; by: By; newPasswordHash: string };

async function makePerson(
  ctx: Uses<"db" | "clock" | "mode">,
  { provider, claims, role: wanted, by, newPasswordHash }: NewPerson,
): Promise<{ user: UserRecord; identity: IdentityRecord }> {
  const { db: tx } = ctx;
  const { id: providerId, partnerId, settings } = provider;
  const { email, emailVerified, name } = claims;
  if (email === null || !emailVerified) throw new RefusedIdentity("the provider has not verified the e-mail address");
  const lowest = partnerId === null ? "viewer" : "staff";
  const waits = waitsForTwo(ctx, wanted, { role: lowest, partnerId });
  const role = waits ? lowest : wanted;
  const [userId, now] = [randomUUID(), await readBusinessNow(tx)];
  const made = { id: userId, email, name: name ?? email, passwordHash: newPasswordHash, role, partnerId, createdAt: now };
  if (!(await insertUser(tx, made))) throw new RefusedIdentity("the e-mail address belongs to somebody here, who can link the identity");
  const identity = { id: randomUUID(), issuer: settings.issuer, subject: claims.subject, userId, providerId };
  const record = { ...identity, createdAt: ctx.clock.now(), lastUsedAt: ctx.clock.now() };
  if (!(await insertIdentity(tx, record))) throw new RefusedIdentity("the identity became somebody's at the same moment");
  const change = { email, role, provider_id: providerId, subject: claims.subject };
  await insertAuditEntry(tx, { by, partnerId, action: "user.joined", objectId: userId, change, now });
  const user = await lockUser(tx, userId);
  if (user === null) throw new Error("the person who was just made is not there");
  if (waits) await enterWait(tx, { by, user, role: wanted });
  return { user, identity: record };
}
