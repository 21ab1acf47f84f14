import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { decideProposal } from "#db/queries/proposals/proposals.ts";
import type { By } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";
import { holdOpenProposal } from "./hold-open-proposal.ts";
import { nameActor } from "./propose.ts";

/**
 * Takes a proposal back: its own author, or anybody who might confirm it. Nothing happens then, and the same may be proposed anew.
 *
 * @throws Refusal `forbidden`, `not_found`, `invalid_state` for one that was decided before.
 */
export async function withdrawProposal(ctx: Uses<"db">, { by, id, reason }: { by: By; id: string; reason: string | null }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { proposal, kind, now } = await holdOpenProposal(tx, by, id);
    await decideProposal(tx, id, { outcome: "withdrawn", decider: await nameActor(tx, by), decidedAt: now });
    const change = { kind: kind.kind, subject: proposal.subject };
    await insertAuditEntry(tx, { by, partnerId: null, action: "proposal.withdrawn", objectId: id, reason, change, now });
  });
}
