import type { Database } from "#db/client.ts";
import { lockProposal } from "#db/queries/proposals/proposals.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import type { Proposal } from "#domain/proposal.ts";
import { Refusal } from "#domain/refusal.ts";
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
