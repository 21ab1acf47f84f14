import { roleBody } from "#contract/proposal-bodies.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { updateUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { type By, fitsSide, isDecider, OPERATOR_ROLES, type Person, type UserRole } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { endInvitationsBy } from "#server/services/people/invitations/end-invitations-by.ts";
import type { ProposalKind } from "#server/services/proposals/proposal-kind.ts";
import { propose } from "#server/services/proposals/propose.ts";
import { lockManagedPerson } from "./lock-managed-person.ts";

export type ChangeRole = { by: By & { actor: Person }; userId: string; role: UserRole };

type Body = ReturnType<typeof roleBody.parse>;

/** Who decides on other people's money is not made so by one person alone in live mode. */
export const ROLE: ProposalKind<Body, null, Uses<"clock">> = {
  kind: "role",
  deed: "administer",
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
 * Another role on the same side, effective with the person's next call. What they had invited others to is withdrawn: they may have
 * been able to only as what they were. In live mode a role that decides more than the one before awaits a second person; answered is then
 * the proposal's id, otherwise null.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`, `validation_failed` for a role of the other side, `conflict` when it is proposed already.
 */
export async function changeRole(ctx: Uses<"db" | "clock" | "mode">, { by, userId, role }: ChangeRole): Promise<string | null> {
  return await ctx.db.transaction(async (tx) => {
    const person = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    const operatorRole = OPERATOR_ROLES.find((each) => each === role);
    if (operatorRole === undefined || person.partnerId !== null || !isDecider(role) || role === person.role || person.role === "admin") {
      await putRole({ ...ctx, db: tx }, { by, userId, role });
      return null;
    }
    const body = { user_id: person.id, email: person.email, role: operatorRole };
    const { proposal, result } = await propose({ ...ctx, db: tx }, ROLE, { by, subject: person.id, body, reason: null });
    return result === null && proposal.outcome === "open" ? proposal.id : null;
  });
}

async function putRole(ctx: Uses<"db" | "clock">, { by, userId, role }: ChangeRole): Promise<void> {
  const person = await lockManagedPerson(ctx, by, userId);
  const { partnerId } = person;
  if (!fitsSide(role, partnerId)) {
    const message = partnerId === null ? "must be a role of the operator's" : "must be a role of a partner's";
    throw new Refusal("validation_failed", { errors: [{ pointer: "/role", code: "wrong_side", message }] });
  }
  if (person.role === role) return;
  await updateUser(ctx.db, userId, { role });
  const change = { email: person.email, role: { from: person.role, to: role } };
  const now = await readBusinessNow(ctx.db);
  await insertAuditEntry(ctx.db, { by, partnerId, action: "user.role_changed", objectId: userId, change, now });
  await endInvitationsBy(ctx.db, { by, inviterId: userId, realNow: ctx.clock.now(), now });
}
