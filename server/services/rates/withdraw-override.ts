import { findNewestVersion } from "#db/queries/rates/pair-terms.ts";
import type { By } from "#domain/access.ts";
import type { PairOnChain } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { readToken } from "./add-terms-version.ts";
import { type ChangedTerms, changeTerms } from "./change-terms.ts";

export type WithdrawOverride = {
  by: By;
  owner: PairOnChain & { partnerId: string };
  /** As in `SetPairTerms`. */
  expectedVersion: number;
  reason: string | null;
};

/**
 * Ends a partner's override: from now on the pair's own terms hold for it. The end is a version like any other, so the history
 * stays whole. In live mode it awaits a second person where the pair's own thresholds are others.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` when no override is in force, `conflict` when it has changed since it was read.
 */
export async function withdrawOverride(ctx: Uses<"db" | "clock" | "chains" | "mode">, command: WithdrawOverride): Promise<ChangedTerms> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  readToken(ctx, command.owner);
  const terms = await findNewestVersion(ctx.db, command.owner);
  if (terms === null) throw new Refusal("not_found");
  return await changeTerms(ctx, { ...command, terms, withdrawn: true });
}
