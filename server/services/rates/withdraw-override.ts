import type { TermsVersion } from "#db/queries/pair-terms.ts";
import type { Uses } from "#server/context.ts";
import type { By } from "#server/domain/access.ts";
import type { PairOnChain } from "#server/domain/pair-terms.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { addTermsVersion, readExpectedVersion, readToken, refuseUnlessAdministrator } from "./add-terms-version.ts";

export type WithdrawOverride = {
  by: By;
  owner: PairOnChain & { partnerId: string };
  /** As in `SetPairTerms`. */
  expectedVersion: number;
  reason: string | null;
};

/**
 * Ends a partner's override: from now on the pair's own terms hold for it. The end is a version like any other, so the history
 * stays whole.
 *
 * @throws Refusal `forbidden`, `not_found` when no override is in force, `conflict` when it has changed since it was read.
 */
export async function withdrawOverride(ctx: Uses<"db" | "chains">, command: WithdrawOverride): Promise<TermsVersion> {
  refuseUnlessAdministrator(command.by);
  const token = readToken(ctx, command.owner);
  return await ctx.db.transaction(async (tx) => {
    const current = await readExpectedVersion(tx, command.owner, command.expectedVersion);
    if (current === null || current.withdrawn) throw new Refusal("not_found");
    return await addTermsVersion(tx, {
      ...command,
      terms: current,
      withdrawn: true,
      current,
      action: "pair_terms.override_withdrawn",
      token,
    });
  });
}
