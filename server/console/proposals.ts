import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { approvalPolicyBody } from "#contract/proposal-bodies.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { confirmProposal, withdrawProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { listProposals, type ShownProposal } from "#server/services/proposal-decisions/kinds.ts";
import { done } from "./done.ts";

const id = z.string().max(64);

/** What one of the operator's people has proposed and another one confirms. Who may, each kind of proposal says itself. */
export const proposalsRouter = router({
  list: operatorProcedure().query(async ({ ctx: { services, holder } }) => {
    const { open, decided } = await listProposals(services);
    const render = (proposal: ShownProposal) => renderProposal(proposal, holder.userId);
    return { open: open.map(render), decided: decided.map(render), mode: services.mode };
  }),

  confirm: operatorProcedure("administer")
    .input(fromWire({ id }))
    .mutation(({ ctx: { services, by }, input }) => done(confirmProposal(services, { by, ...input }))),

  /** It is not executed. */
  withdraw: operatorProcedure("administer")
    .meta({ stepUp: false })
    .input(fromWire({ id, reason: plainText(1, 1_000).nullable() }))
    .mutation(({ ctx: { services, by }, input }) => done(withdrawProposal(services, { by, ...input }))),
});

function renderProposal({ shown, proposer, decider, ...proposal }: ShownProposal, asker: string) {
  return {
    ...toWire(proposal, "id", "kind", "subject", "reason", "outcome", "proposedAt", "decidedAt"),
    details: shown,
    /** The rules that are proposed, where it is a version of the approval policy. */
    rules: proposal.kind === "approval_policy" ? approvalPolicyBody.parse(shown).rules : null,
    proposed_by: { name: proposer.name, is_key: proposer.type === "operator_key", is_asker: proposer.id === asker },
    decided_by: decider && { name: decider.name },
  };
}
