import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { decideProposal } from "#db/queries/proposals/proposals.ts";
import { findVoice, type KnownVoice } from "#db/queries/proposals/voices.ts";
import { type By, mayAsOperator, type OperatorDeed } from "#domain/access.ts";
import type { Proposal } from "#domain/proposal.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { holdOpenProposal } from "./hold-open-proposal.ts";
import type { ProposalPowers } from "./kinds.ts";
import { nameActor } from "./propose.ts";
import { refuseUnlessYesCounts } from "./refuse-unless-counts.ts";

/**
 * A second person's yes to what another one proposed: it is carried out in this very transaction, so that it is confirmed and done or
 * neither. Of two who confirm at once, or one who confirms and one who withdraws, one wins.
 *
 * @throws Refusal `forbidden`, `not_found`, `invalid_state` for one that was decided before, `same_approver`, `step_up_required`,
 *   `conflict` when who proposed it may do so no more, and whatever the deed itself refuses by now.
 */
export async function confirmProposal(
  ctx: ProposalPowers & Uses<"db" | "clock" | "mode">,
  { by, id }: { by: By; id: string },
): Promise<{ proposal: Proposal; result: unknown }> {
  return await ctx.db.transaction(async (tx) => {
    const { proposal, kind, now } = await holdOpenProposal(tx, by, id);
    const { proposer, subject, reason } = proposal;
    await refuseUnlessYesCounts({ ...ctx, db: tx }, { before: [proposer], by, now });
    if (!mayStill(await findVoice(tx, proposer), kind.deed, { id: proposer.id, realNow: ctx.clock.now() }))
      throw new Refusal("conflict", { detail: "Who proposed it may do so no more: withdraw it." });
    const { shown, carryOut } = kind.read(proposal.body);
    const result = await carryOut({ ...ctx, db: tx }, { by, proposer, subject, reason });
    const decision = { outcome: "carried_out" as const, decider: await nameActor(tx, by), decidedAt: now };
    await decideProposal(tx, id, decision);
    const change = { kind: kind.kind, subject, proposed_by: `${proposer.type}:${proposer.id}`, ...shown };
    await insertAuditEntry(tx, { by, partnerId: null, action: "proposal.carried_out", objectId: id, reason, change, now });
    return { proposal: { ...proposal, ...decision }, result };
  });
}

/** Who was shut out, revoked or demoted meanwhile has proposed nothing that can be confirmed. A key may what its maker may. */
function mayStill(proposer: KnownVoice | null, deed: OperatorDeed, { id, realNow }: { id: string; realNow: Date }): boolean {
  if (proposer === null || (proposer.endedAt !== null && proposer.endedAt <= realNow)) return false;
  return proposer.role === null || mayAsOperator({ type: "user", userId: id, role: proposer.role, partnerId: null }, deed);
}
