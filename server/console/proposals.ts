import { oneProposal, proposalEnd, renderProposal } from "#contract/console/proposals.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { confirmProposal } from "#server/services/proposals/confirm-proposal.ts";
import { listProposals } from "#server/services/proposals/list-proposals.ts";
import { withdrawProposal } from "#server/services/proposals/withdraw-proposal.ts";

/** What one of the operator's people has proposed and another one confirms. Who may, each kind of proposal says itself. */
export const proposalsRouter = router({
  list: operatorProcedure().query(async ({ ctx: { services, holder } }) => {
    const { open, decided } = await listProposals(services);
    const render = (proposal: (typeof open)[number]) => renderProposal(proposal, holder.userId);
    return { open: open.map(render), decided: decided.map(render), mode: services.mode };
  }),

  confirm: operatorProcedure("administer")
    .input(oneProposal)
    .mutation(async ({ ctx: { services, by }, input }) => {
      await confirmProposal(services, { by, id: input.id });
      return {};
    }),

  withdraw: operatorProcedure("administer")
    .input(proposalEnd)
    .mutation(async ({ ctx: { services, by }, input }) => {
      await withdrawProposal(services, { by, id: input.id, reason: input.reason });
      return {};
    }),
});
