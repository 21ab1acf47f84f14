import { findNewestVersion } from "#db/queries/rates/pair-terms.ts";
import { SYSTEM } from "#domain/access.ts";
import type { PairOnChain, Terms } from "#domain/pair-terms.ts";
import { faultsOfTerms } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { addTermsVersion, readToken } from "./add-terms-version.ts";

export type OpenedPair = PairOnChain & { opened: boolean };

/**
 * Gives pairs their first terms, all of them or, when one is refused, none: for whoever sets the service up. A pair that has terms
 * keeps them: from then on they are an administrator's, and the same file can be handed in again.
 *
 * @throws Refusal `unsupported_chain`, `unsupported_pair`, `validation_failed` with every fault of the terms.
 */
export async function openPairs(ctx: Uses<"db" | "chains">, pairs: readonly (PairOnChain & { terms: Terms })[]): Promise<OpenedPair[]> {
  return await ctx.db.transaction(async (tx) => {
    const outcomes: OpenedPair[] = [];
    for (const { terms, ...pair } of pairs) {
      const owner = { ...pair, partnerId: null };
      const token = readToken(ctx, owner);
      const errors = faultsOfTerms(terms, token.decimals);
      if (errors.length > 0) throw new Refusal("validation_failed", { errors });
      const current = await findNewestVersion(tx, owner);
      outcomes.push({ ...pair, opened: current === null });
      if (current !== null) continue;
      await addTermsVersion(tx, {
        by: SYSTEM,
        owner,
        terms,
        withdrawn: false,
        current,
        action: "pair_terms.set",
        reason: "set up by file",
        token,
      });
    }
    return outcomes;
  });
}
