import { randomUUID } from "node:crypto";
import { invitationBody } from "#contract/proposal-bodies.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { insertInvitation, withdrawInvitations } from "#db/queries/people/invitations.ts";
import { findUserByEmail } from "#db/queries/people/users.ts";
import { type By, type ByPerson, fitsSide, isDecider, OPERATOR_ROLES, type OperatorRole, type UserRole } from "#domain/access.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";
import { INVITATION_LIFETIME_MS, invitationTokenHash, newInvitationToken } from "#domain/secrets.ts";
import type { Uses } from "#server/context.ts";
import { refuseUnlessManager } from "#server/services/people/lock-managed-person.ts";
import { type ProposalKind, propose } from "#server/services/proposals/propose.ts";

export type InvitePerson = {
  by: ByPerson;
  email: string;
  role: UserRole;
  /** null: the operator's side. A partner's owner can only invite to its own partner. */
  partnerId: string | null;
};
/**
 * `proposalId`: nothing leads anywhere before that is confirmed, and the link works for three days from then; null: it works. `token`: null
 * where the link goes to the address alone.
 */
export type Invited = { id: string; token: string | null; expiresAt: Date; proposalId: string | null };

type Body = ReturnType<typeof invitationBody.parse>;

/** In live mode one person alone cannot invite a user who decides on other people's money, a partner's owner included. */
export const INVITATION: ProposalKind<Body, Date, Uses<"clock">> = {
  kind: "invitation",
  permission: "administer",
  schema: invitationBody,
  show: ({ email, role }) => ({ email, role }),
  async carryOut(ctx, { by, proposer, subject, body }) {
    const invitation = { id: subject, email: body.email, role: body.role, partnerId: body.partner_id ?? null, tokenHash: body.token_hash };
    return await addInvitation(ctx, { by, invitedBy: proposer.id, invitation, byMail: body.by_mail === true });
  },
};

/**
 * Invites somebody by a link, shown only once and valid for three days of real time. It replaces an open invitation of the same address to
 * the same side, so inviting again is enough when a link was lost. In live mode, a role that decides waits for a second person.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` for a partner that the actor cannot see, `validation_failed` for a role of
 * the other side, `conflict` when somebody whom the actor can see has the address.
 */
export async function invitePerson(
  ctx: Uses<"db" | "clock" | "mode">,
  { by, role, partnerId, ...command }: InvitePerson,
): Promise<Invited> {
  const { actor } = by;
  if (actor.partnerId !== null && partnerId !== actor.partnerId) throw new Refusal("not_found");
  if (!fitsSide(role, partnerId)) {
    const message = "must be a role of the side that the person is invited to";
    throw new Refusal("validation_failed", { errors: [{ pointer: "/role", code: "wrong_side", message }] });
  }
  const [id, token, email] = [randomUUID(), newInvitationToken(), command.email.trim().toLowerCase()];
  const tokenHash = invitationTokenHash(token);
  return await ctx.db.transaction(async (tx) => {
    await refuseUnlessManager({ ...ctx, db: tx }, by);
    if (partnerId !== null && (await findPartner(tx, partnerId)) === null) throw new Refusal("not_found");
    const existing = await findUserByEmail(tx, email);
    // A partner's owner learns nothing about other people: if the address has a user elsewhere, accepting the invitation fails.
    if (existing !== null && (actor.partnerId === null || existing.partnerId === actor.partnerId)) {
      const errors: Fault[] = [{ pointer: "/email", code: "taken", message: "is already the address of a user" }];
      throw new Refusal("conflict", { detail: "A user with this address already exists.", errors });
    }
    const deciding = decidingRoleOf(role);
    if (deciding === null || (deciding === "owner" && (ctx.mode !== "live" || actor.partnerId !== null))) {
      const invitation = { id, email, role, partnerId, tokenHash };
      return {
        id,
        token,
        expiresAt: await addInvitation({ ...ctx, db: tx }, { by, invitedBy: actor.userId, invitation }),
        proposalId: null,
      };
    }
    // In live mode not even its proposer knows the link: the one who follows it is the new person.
    const byMail = ctx.mode === "live";
    const unknown = byMail ? { token_hash: invitationTokenHash(newInvitationToken()), by_mail: true } : { token_hash: tokenHash };
    const body = { email, role: deciding, partner_id: partnerId, ...unknown };
    const { proposal, result } = await propose({ ...ctx, db: tx }, INVITATION, { by, subject: id, body, reason: null });
    const expiresAt = result ?? new Date(ctx.clock.now().getTime() + INVITATION_LIFETIME_MS);
    return { id, token: byMail ? null : token, expiresAt, proposalId: result === null ? proposal.id : null };
  });
}

/** The role, where it decides on other people's money; a partner's owner makes keys and moves fiat. */
export function decidingRoleOf(role: UserRole): OperatorRole | "owner" | null {
  return role === "owner" ? role : (OPERATOR_ROLES.find((each) => each === role && isDecider(each)) ?? null);
}

type AddInvitation = {
  by: By;
  invitedBy: string;
  invitation: { id: string; email: string; role: UserRole; partnerId: string | null; tokenHash: string };
  byMail?: boolean;
};

/** Activates the link; one of the same address to the same side ends. Returns its expiry. */
export async function addInvitation(
  ctx: Uses<"db" | "clock">,
  { by, invitedBy, invitation, byMail = false }: AddInvitation,
): Promise<Date> {
  const { id, email, role, partnerId } = invitation;
  const createdAt = ctx.clock.now();
  const now = await readBusinessNow(ctx.db);
  for (const ended of await withdrawInvitations(ctx.db, { email, partnerId }, createdAt)) {
    await insertAuditEntry(ctx.db, { by, partnerId, action: "invitation.withdrawn", objectId: ended.id, change: { email }, now });
  }
  const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFETIME_MS);
  await insertInvitation(ctx.db, { ...invitation, invitedBy, createdAt, expiresAt, mailDueAt: byMail ? createdAt : null });
  await insertAuditEntry(ctx.db, { by, partnerId, action: "invitation.created", objectId: id, change: { email, role }, now });
  return expiresAt;
}
