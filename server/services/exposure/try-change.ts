import { exposureLimitBody } from "#contract/proposal-bodies.ts";
import { readPastEffect } from "#db/queries/exposure/past-effects.ts";
import { findProposal } from "#db/queries/proposals/proposals.ts";
import { isTriable, type PastEffect, type StoppingChange } from "#domain/past-effect.ts";
import type { Uses } from "#server/context.ts";
import { limitTermsOf } from "#server/services/proposals/signed-rules.ts";
import { EXPOSURE_LIMIT } from "./set-limit.ts";

/**
 * What a halt, a partner's suspension or a limit would have stopped of the settlements paid in the last 30 days; null where that cannot be
 * known from them. Nothing changes. Limits are judged by the exact time of each payment, where the service counts in steps of minutes.
 */
export async function tryChange(ctx: Uses<"db">, change: StoppingChange): Promise<PastEffect | null> {
  return isTriable(change) ? await readPastEffect(ctx.db, change) : null;
}

/** The same for a limit that somebody has proposed, for the person who confirms it. Null for any other proposal. */
export async function tryProposal(ctx: Uses<"db">, id: string): Promise<PastEffect | null> {
  const proposal = await findProposal(ctx.db, id);
  if (proposal === null || proposal.kind !== EXPOSURE_LIMIT.kind) return null;
  return await tryChange(ctx, { limit: limitTermsOf(exposureLimitBody.parse(proposal.body)) });
}
