import { listDecidedProposals, listOpenProposals } from "#db/queries/proposals/proposals.ts";
import type { Proposal } from "#domain/proposal.ts";
import type { Uses } from "#server/context.ts";
import { kindOf } from "./kinds.ts";

/** Nobody reads more of them at once. */
const SHOWN = 100;

/** A proposal with what may be seen of its body, and never the body itself. */
export type ShownProposal = Omit<Proposal, "body"> & { shown: Record<string, unknown> };

/** What awaits a second person, the oldest first, and what was decided lately. */
export async function listProposals(ctx: Uses<"db">): Promise<{ open: ShownProposal[]; decided: ShownProposal[] }> {
  const [open, decided] = await Promise.all([listOpenProposals(ctx.db, SHOWN), listDecidedProposals(ctx.db, SHOWN)]);
  return { open: open.map(show), decided: decided.map(show) };
}

function show({ body, ...proposal }: Proposal): ShownProposal {
  return { ...proposal, shown: kindOf(proposal.kind).read(body).shown };
}
