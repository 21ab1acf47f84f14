import { findPartner } from "#db/queries/partners/partners.ts";
import type { TermsOwner } from "#db/queries/rates/pair-terms.ts";
import type { By } from "#domain/access.ts";
import { faultsOfTerms, type Terms } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { readToken } from "./add-terms-version.ts";
import { type ChangedTerms, changeTerms } from "./change-terms.ts";

export type SetPairTerms = {
  by: By;
  /** The pair's own terms (partner null) or one partner's override of the whole of them. */
  owner: TermsOwner;
  terms: Terms;
  /** The version that was on the screen when the change was made; 0: there was none. Whoever saw an older one is refused. */
  expectedVersion: number;
  reason: string | null;
};

/**
 * Puts new terms in force from now on, as a new version: what is quoted already keeps the version it was priced under. Of two
 * operators who edit the same version at once, one wins. Setting an override again after it was withdrawn brings it back. In live mode
 * other thresholds than before await a second person.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` for an unknown partner, `unsupported_chain`, `unsupported_pair`, `validation_failed` with
 * every fault, `conflict` (with `current_version`) when the terms have changed since they were read.
 */
export async function setPairTerms(ctx: Uses<"db" | "clock" | "chains" | "mode">, command: SetPairTerms): Promise<ChangedTerms> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  const token = readToken(ctx, command.owner);
  const errors = faultsOfTerms(command.terms, token.decimals);
  if (errors.length > 0) throw new Refusal("validation_failed", { errors });
  const { partnerId } = command.owner;
  if (partnerId !== null && (await findPartner(ctx.db, partnerId)) === null) throw new Refusal("not_found");
  return await changeTerms(ctx, { ...command, withdrawn: false });
}
