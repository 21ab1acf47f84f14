import { z } from "zod";
import { instant, instantOrNull, plainText } from "#contract/primitives.ts";
import type { Proposal } from "#domain/proposal.ts";

/** What the page of proposals asks and is answered, in wire names. */

export const oneProposal = z.strictObject({ id: z.string().max(64) });
export const proposalEnd = z.strictObject({ id: z.string().max(64), reason: plainText(1, 1_000).nullable() });

export function renderProposal({ shown, ...proposal }: Omit<Proposal, "body"> & { shown: Record<string, unknown> }, asker: string) {
  const { id, kind, subject, reason, proposer, decider, proposedAt, decidedAt, outcome } = proposal;
  return {
    ...{ id, kind, subject, reason, outcome, details: shown },
    proposed_by: { name: proposer.name, is_key: proposer.type === "operator_key", is_asker: proposer.id === asker },
    proposed_at: instant(proposedAt),
    decided_by: decider && { name: decider.name },
    decided_at: instantOrNull(decidedAt),
  };
}
