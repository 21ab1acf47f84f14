import { randomBytes, randomUUID } from "node:crypto";
import { operatorBody } from "#contract/proposal-bodies.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findUserByEmail, insertUser, lockManagers, lockPeople } from "#db/queries/people/users.ts";
import { type By, isDecider, type OperatorRole, SYSTEM } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { invitationTokenHash, newInvitationToken } from "#domain/secrets.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import { hashNewPassword } from "./change-self.ts";
import { addInvitation } from "./invitations/invite-person.ts";
import type { Operator } from "./read-people.ts";

export type CreateOperator = { by: By; email: string; password: string; name: string; role: OperatorRole };

/** `proposalId`: the account is there once that is confirmed; null: it is. */
export type CreatedOperator = Operator & { proposalId: string | null };

type Body = ReturnType<typeof operatorBody.parse>;

/**
 * In live mode, a new user who decides on other people's money takes two people: otherwise one could create the second approver. Nor does
 * the proposer know the password: the person sets it by the link that goes to the address alone.
 */
export const OPERATOR: ProposalKind<Body, Operator, Uses<"clock" | "mode">> = {
  kind: "operator",
  permission: "administer",
  schema: operatorBody,
  show: ({ username, name, role }) => ({ username, name, role }),
  async carryOut(ctx, { by, subject, body }) {
    if (ctx.mode === "sandbox") return await addOperator(ctx, { by, id: subject, body });
    const { actor } = by;
    const { username: email, name, role } = body;
    if (actor.type !== "user") throw new Refusal("person_required");
    if ((await findUserByEmail(ctx.db, email)) !== null) throw taken();
    const tokenHash = invitationTokenHash(newInvitationToken());
    const invitation = { id: subject, email, role, partnerId: null, tokenHash };
    await addInvitation(ctx, { by, invitedBy: actor.userId, invitation, byMail: true });
    return { id: subject, email, name, role, createdAt: await readBusinessNow(ctx.db) };
  },
};

/**
 * Creates an operator's user (contract, part 6 "Create Admin"). In live mode, a role that decides waits for a second person.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `validation_failed` for a password that is easily guessed, `conflict` for an address
 * that is taken.
 */
export async function createOperator(ctx: Uses<"db" | "clock" | "passwords" | "mode">, command: CreateOperator): Promise<CreatedOperator> {
  const { by, name, role } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const email = command.email.toLowerCase();
  const passwordHash = await hashNewPassword(ctx, command.password, [email, name], "/password");
  const id = randomUUID();
  const body = { username: email, name, role, password_hash: ctx.mode === "live" && isDecider(role) ? "" : passwordHash };
  if (!isDecider(role)) {
    const made = await ctx.db.transaction((tx) => addOperator({ db: tx }, { by, id, body }));
    return { ...made, proposalId: null };
  }
  if ((await findUserByEmail(ctx.db, email)) !== null) throw taken();
  const { proposal, result } = await propose(ctx, OPERATOR, { by, subject: id, body, reason: null });
  if (result !== null) return { ...result, proposalId: null };
  return { id, email, name, role, createdAt: proposal.proposedAt, proposalId: proposal.id };
}

async function addOperator({ db }: Uses<"db">, { by, id, body }: { by: By; id: string; body: Body }): Promise<Operator> {
  const { username: email, name, role, password_hash: passwordHash } = body;
  const createdAt = await readBusinessNow(db);
  if (!(await insertUser(db, { id, email, name, passwordHash, role, partnerId: null, createdAt }))) throw taken();
  const change = { username: email, name, role };
  await insertAuditEntry(db, { by, partnerId: null, action: "user.created", objectId: id, change, now: createdAt });
  return { id, email, name, role, createdAt };
}

function taken(): Refusal {
  return new Refusal("conflict", { detail: "A user with this username already exists." });
}

/** As many as it takes to confirm what the other proposes; all further ones are made by them. */
const FIRST_ADMINS = 2;

/**
 * Creates one of the first two admins, whom nobody could approve, by a command on the machine. The password is shown only once and must be
 * changed. The person first has to set up two factors.
 *
 * @throws Refusal `conflict` when there are two already, or the address is taken.
 */
export async function createFirstAdmin(
  ctx: Uses<"db" | "passwords">,
  command: { email: string; name: string },
): Promise<{ id: string; email: string; password: string }> {
  const email = command.email.trim().toLowerCase();
  const password = randomBytes(18).toString("base64url");
  const passwordHash = await ctx.passwords.hash(password);
  return await ctx.db.transaction(async (tx) => {
    await lockPeople(tx);
    const admins = await lockManagers(tx, null);
    if (admins.size >= FIRST_ADMINS)
      throw new Refusal("conflict", { detail: "There are already two admins. Invite further admins in the console." });
    const [id, createdAt] = [randomUUID(), await readBusinessNow(tx)];
    const user = { id, email, name: command.name, passwordHash, role: "admin" as const, partnerId: null, createdAt };
    if (!(await insertUser(tx, user))) throw new Refusal("conflict", { detail: "A user with this address already exists." });
    const change = { username: email, name: command.name, role: "admin", made_on: "machine" };
    await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "user.created", objectId: id, change, now: createdAt });
    return { id, email, password };
  });
}
