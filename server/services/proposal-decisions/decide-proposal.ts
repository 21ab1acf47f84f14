import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { decideProposal, findProposal, findVoter, type KnownVoter, lockProposal } from "#db/queries/proposals/proposals.ts";
import { type By, mayAsOperator, type OperatorPermission, refuseUnlessOperator } from "#domain/access.ts";
import type { Proposal } from "#domain/approval.ts";
import type { Json } from "#domain/canonical-json.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Decision } from "#domain/signed-decision.ts";
import type { Uses } from "#server/context.ts";
import { keepSignature } from "#server/services/proposals/keep-signature.ts";
import { nameActor } from "#server/services/proposals/propose.ts";
import { refuseUnlessYesCounts } from "#server/services/proposals/refuse-unless-counts.ts";
import { type KnownKind, kindOf, type ProposalPowers } from "./kinds.ts";

/** Locks an open proposal on which the actor may decide. @throws Refusal `not_found`, `forbidden`, `invalid_state`. */
export async function lockOpenProposal(tx: Database, by: By, id: string): Promise<{ proposal: Proposal; kind: KnownKind; now: Date }> {
  const proposal = isId("proposal", id) ? await lockProposal(tx, id) : null;
  if (proposal === null) throw new Refusal("not_found");
  const kind = kindOf(proposal.kind);
  refuseUnlessOperator(by.actor, kind.permission);
  if (proposal.outcome !== "open")
    throw new Refusal("invalid_state", {
      detail: proposal.outcome === "carried_out" ? "The proposal was carried out already." : "The proposal was withdrawn.",
    });
  return { proposal, kind, now: await readBusinessNow(tx) };
}

/**
 * A second person confirms a proposal, which is executed in this transaction: both commit or neither. If two people confirm, or one
 * confirms and one withdraws, one of them wins.
 *
 * @throws Refusal `forbidden`, `not_found`, `invalid_state` for one that was decided before, `same_approver`, `step_up_required`, `passkey_required`,
 * `conflict` when the proposer has lost the permission, and any refusal of the action itself.
 */
export async function confirmProposal(
  ctx: ProposalPowers & Uses<"db" | "clock" | "mode" | "policy">,
  { by, id }: { by: By; id: string },
): Promise<{ proposal: Proposal; result: unknown }> {
  const seen = isId("proposal", id) ? await findProposal(ctx.db, id) : null;
  if (seen === null) throw new Refusal("not_found");
  refuseUnlessOperator(by.actor, kindOf(seen.kind).permission);
  // What was proposed never changes, so that it can be read before the row is locked.
  const { shown, prepare } = kindOf(seen.kind).read(seen.body);
  const carryOut = seen.outcome === "open" ? await prepare(ctx) : null;
  return await ctx.db.transaction(async (tx) => {
    const { proposal, kind, now } = await lockOpenProposal(tx, by, id);
    if (carryOut === null) throw new Error(`the proposal ${id} was decided before, and is open now`);
    const { proposer, subject, reason } = proposal;
    await refuseUnlessYesCounts({ ...ctx, db: tx }, { before: [proposer], by, now });
    if (!mayStill(await findVoter(tx, proposer), kind.permission, { id: proposer.id, realNow: ctx.clock.now() }))
      throw new Refusal("conflict", { detail: "The proposer no longer has the right to propose it. Withdraw it." });
    if (kind.isSigned && ctx.policy.signedApprovals !== null)
      await keepSignature({ ...ctx, db: tx }, { by, objectId: id, decision: decisionOf(proposal) });
    const result = await carryOut({ ...ctx, db: tx }, { by, proposer, subject, reason });
    const decision = { outcome: "carried_out" as const, decider: await nameActor(tx, by), decidedAt: now };
    await decideProposal(tx, id, decision);
    const change = { kind: kind.kind, subject, proposed_by: `${proposer.type}:${proposer.id}`, ...shown };
    await insertAuditEntry(tx, { by, partnerId: null, action: "proposal.carried_out", objectId: id, reason, change, now });
    return { proposal: { ...proposal, ...decision }, result };
  });
}

/** What is signed of a proposal: all of it. */
export function decisionOf({ id, kind, subject, body, reason, proposer }: Proposal): Decision {
  const facts = { kind, about: subject, reason, proposed_by: `${proposer.type}:${proposer.id}`, body: body as Json };
  return { action: "proposal.confirm", subject: id, facts };
}

/** Who was shut out, revoked or demoted meanwhile has proposed nothing that can be confirmed. A key may what its maker may. */
function mayStill(proposer: KnownVoter | null, permission: OperatorPermission, { id, realNow }: { id: string; realNow: Date }): boolean {
  if (proposer === null || (proposer.endedAt !== null && proposer.endedAt <= realNow)) return false;
  return proposer.role === null || mayAsOperator({ type: "user", userId: id, role: proposer.role, partnerId: null }, permission);
}

/**
 * Withdraws a proposal: its author may, and anybody who could confirm it. It is not executed, and may be proposed again.
 *
 * @throws Refusal `forbidden`, `not_found`, `invalid_state` for one that was decided before.
 */
export async function withdrawProposal(ctx: Uses<"db">, { by, id, reason }: { by: By; id: string; reason: string | null }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { proposal, kind, now } = await lockOpenProposal(tx, by, id);
    await decideProposal(tx, id, { outcome: "withdrawn", decider: await nameActor(tx, by), decidedAt: now });
    const change = { kind: kind.kind, subject: proposal.subject };
    await insertAuditEntry(tx, { by, partnerId: null, action: "proposal.withdrawn", objectId: id, reason, change, now });
  });
}
