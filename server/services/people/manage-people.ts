import { roleBody } from "#contract/proposal-bodies.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { UNCONFIRMED, updateUser } from "#db/queries/people/users.ts";
import { type ByPerson, fitsSide, isDecider, type UserRole } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { endInvitationsBy } from "#server/services/people/invitations/invitations.ts";
import { decidingRoleOf } from "#server/services/people/invitations/invite-person.ts";
import { type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import { lockManagedPerson } from "./lock-managed-person.ts";

/**
 * Shuts a person out: sessions and access tokens end with their very next call and do not come back, what they invited others to is
 * withdrawn. Doing it twice changes nothing.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`.
 */
export async function disablePerson(ctx: Uses<"db" | "clock">, { by, userId }: { by: ByPerson; userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { disabledAt, email, partnerId } = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    if (disabledAt !== null) return;
    const realNow = ctx.clock.now();
    const now = await readBusinessNow(tx);
    await updateUser(tx, userId, { disabledAt: now });
    const ended = await revokeSessionsOf(tx, userId, null, realNow);
    await revokeTokensOf(tx, userId, realNow);
    const change = { email, disabled: true, sessions_ended: ended };
    await insertAuditEntry(tx, { by, partnerId, action: "user.disabled", objectId: userId, change, now });
    await endInvitationsBy(tx, { by, inviterId: userId, realNow, now });
  });
}

/**
 * Lets a person sign in again; no session of before comes back.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`.
 */
export async function enablePerson(ctx: Uses<"db" | "clock">, { by, userId }: { by: ByPerson; userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { disabledAt, email, partnerId } = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    if (disabledAt === null) return;
    await updateUser(tx, userId, { disabledAt: null });
    const change = { email, disabled: false };
    await insertAuditEntry(tx, { by, partnerId, action: "user.enabled", objectId: userId, change });
  });
}

/**
 * Ends a person's sessions and access tokens at once. The person may sign in again.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`.
 */
export async function endSessionsOf(ctx: Uses<"db" | "clock">, { by, userId }: { by: ByPerson; userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { email, partnerId } = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    const realNow = ctx.clock.now();
    const ended = await revokeSessionsOf(tx, userId, null, realNow);
    await revokeTokensOf(tx, userId, realNow);
    const change = { email, sessions_ended: ended };
    await insertAuditEntry(tx, { by, partnerId, action: "user.sessions_ended", objectId: userId, change });
  });
}

export type ChangeRole = { by: ByPerson; userId: string; role: UserRole };

type Body = ReturnType<typeof roleBody.parse>;

/** In live mode one person alone cannot give somebody a role that decides on other people's money. */
export const ROLE: ProposalKind<Body, null, Uses<"clock">> = {
  kind: "role",
  permission: "administer",
  schema: roleBody,
  show: ({ email, role }) => ({ email, role }),
  async carryOut(ctx, { by, body }) {
    const { actor } = by;
    if (actor.type !== "user") throw new Refusal("forbidden");
    await putRole(ctx, { by: { ...by, actor }, userId: body.user_id, role: body.role });
    return null;
  },
};

/**
 * Changes a user's role on the same side, effective with the next call. The user's open invitations are withdrawn, because the new role may
 * not permit them. In live mode a role that decides more waits for a second person; then it returns the proposal's id, otherwise null.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`, `validation_failed` for a role of the other side, `conflict` when it is
 * proposed already.
 */
export async function changeRole(ctx: Uses<"db" | "clock" | "mode">, { by, userId, role }: ChangeRole): Promise<string | null> {
  return await ctx.db.transaction(async (tx) => {
    const person = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    const deciding = decidingRoleOf(role);
    const isOwners = deciding === "owner" && (ctx.mode !== "live" || by.actor.partnerId !== null);
    if (deciding === null || isOwners || !fitsSide(role, person.partnerId) || role === person.role || person.role === "admin") {
      await putRole({ ...ctx, db: tx }, { by, userId, role });
      return null;
    }
    const body = { user_id: person.id, email: person.email, role: deciding };
    const { proposal, result } = await propose({ ...ctx, db: tx }, ROLE, { by, subject: person.id, body, reason: null });
    return result === null && proposal.outcome === "open" ? proposal.id : null;
  });
}

async function putRole(ctx: Uses<"db" | "clock">, { by, userId, role }: ChangeRole): Promise<void> {
  const person = await lockManagedPerson(ctx, by, userId);
  const { partnerId } = person;
  if (!fitsSide(role, partnerId)) {
    const message = partnerId === null ? "must be an operator's role" : "must be a partner's role";
    throw new Refusal("validation_failed", { errors: [{ pointer: "/role", code: "wrong_side", message }] });
  }
  if (person.role === role) return;
  const begins = isDecider(role) && !isDecider(person.role);
  await updateUser(ctx.db, userId, { role, ...(begins && UNCONFIRMED) });
  const change = { email: person.email, role: { from: person.role, to: role } };
  const now = await readBusinessNow(ctx.db);
  await insertAuditEntry(ctx.db, { by, partnerId, action: "user.role_changed", objectId: userId, change, now });
  await endInvitationsBy(ctx.db, { by, inviterId: userId, realNow: ctx.clock.now(), now });
}
