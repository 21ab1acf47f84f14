import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { lockProposal } from "#db/queries/proposals.ts";
import { type By, refuseUnlessOperator } from "#server/domain/access.ts";
import { isId } from "#server/domain/ids.ts";
import type { Proposal } from "#server/domain/proposal.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { type KnownKind, kindOf } from "./kinds.ts";

/** A proposal that is still open, its row held, for who may decide on it. @throws Refusal `not_found`, `forbidden`, `invalid_state`. */
export async function holdOpenProposal(tx: Database, by: By, id: string): Promise<{ proposal: Proposal; kind: KnownKind; now: Date }> {
  const proposal = isId("proposal", id) ? await lockProposal(tx, id) : null;
  if (proposal === null) throw new Refusal("not_found");
  const kind = kindOf(proposal.kind);
  refuseUnlessOperator(by.actor, kind.deed);
  if (proposal.outcome !== "open")
    throw new Refusal("invalid_state", {
      detail: proposal.outcome === "carried_out" ? "The proposal was carried out already." : "The proposal was withdrawn.",
    });
  return { proposal, kind, now: await readBusinessNow(tx) };
}
