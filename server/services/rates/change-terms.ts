import { pairTermsBody } from "#contract/proposal-bodies.ts";
import { toInside, toWire } from "#contract/wire.ts";
import type { Database } from "#db/client.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { findNewestVersion, type TermsOwner, type TermsVersion } from "#db/queries/rates/pair-terms.ts";
import type { By } from "#domain/access.ts";
import { faultsOfTerms, type PairOnChain, type Terms } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import { addTermsVersion, readExpectedVersion, readToken } from "./add-terms-version.ts";

type TermsChange = {
  owner: TermsOwner;
  terms: Terms;
  /** Ends a partner's override instead of setting it. */
  withdrawn: boolean;
  expectedVersion: number;
};

/** The new version, or the proposal that it waits in for a second person; the other one is null. */
export type ChangedTerms = { version: TermsVersion | null; proposalId: string | null };

type Body = ReturnType<typeof pairTermsBody.parse>;

/** In live mode two people change thresholds: they decide whether two people are needed at all. */
export const PAIR_TERMS: ProposalKind<Body, TermsVersion, Uses<"chains">> = {
  kind: "pair_terms",
  isSigned: true,
  permission: "administer",
  schema: pairTermsBody,
  show: (body) => body,
  carryOut: (ctx, { by, body, reason }) => putTerms(ctx, { ...changeOf(body), by, reason }),
};

/**
 * Activates a version of terms, or proposes it if it changes how many people must approve an amount.
 *
 * @throws Refusal `conflict` when the terms have changed since they were read, or such a change is proposed already; `not_found` for the
 * end of an override that does not exist.
 */
export async function changeTerms(
  ctx: Uses<"db" | "chains" | "mode">,
  { by, reason, ...change }: TermsChange & { by: By; reason: string | null },
): Promise<ChangedTerms> {
  // Versions never change, and adding the next one compares the expected one again, so reading needs no lock.
  const current = await readExpectedVersion(ctx.db, change.owner, change.expectedVersion);
  if (change.withdrawn && (current === null || current.withdrawn)) throw new Refusal("not_found");
  if (!(await movesThresholds(ctx.db, change, current))) {
    const version = await ctx.db.transaction((tx) => putTerms({ ...ctx, db: tx }, { ...change, by, reason }));
    return { version, proposalId: null };
  }
  const { sourceCurrency, destinationCurrency, chain, partnerId } = change.owner;
  const subject = [sourceCurrency, destinationCurrency, chain, ...(partnerId === null ? [] : [partnerId])].join(" ");
  const { proposal, result } = await propose(ctx, PAIR_TERMS, { by, subject, body: bodyOf(change), reason });
  return result === null ? { version: null, proposalId: proposal.id } : { version: result, proposalId: null };
}

async function putTerms(ctx: Uses<"db" | "chains">, change: TermsChange & { by: By; reason: string | null }): Promise<TermsVersion> {
  const token = readToken(ctx, change.owner);
  const current = await readExpectedVersion(ctx.db, change.owner, change.expectedVersion);
  const action = change.withdrawn ? "pair_terms.override_withdrawn" : "pair_terms.set";
  return await addTermsVersion(ctx.db, { ...change, current, action, token });
}

/**
 * Whether some amount now needs another number of approvals than before (none, one or two); for an owner's first terms, whether they differ
 * from the pair's.
 */
async function movesThresholds(db: Database, { owner, terms, withdrawn }: TermsChange, current: TermsVersion | null): Promise<boolean> {
  const pairs = async () => (owner.partnerId === null ? null : await findNewestVersion(db, { ...owner, partnerId: null }));
  const before = current === null || current.withdrawn ? await pairs() : current;
  const after = withdrawn ? await pairs() : terms;
  if (before === null || after === null) return true;
  return (
    before.maximumSourceMinor !== after.maximumSourceMinor ||
    before.twoApprovalsAboveMinor !== after.twoApprovalsAboveMinor ||
    before.batchMaximumSourceMinor !== after.batchMaximumSourceMinor
  );
}

function bodyOf({ owner, terms, withdrawn, expectedVersion }: TermsChange): Body {
  return {
    ...toWire(owner, "sourceCurrency", "destinationCurrency", "chain", "partnerId"),
    ...toWire(terms, "enabled", "spreadBps", "quoteLifetimeSeconds", "approvedLifetimeSeconds"),
    expected_version: expectedVersion,
    withdrawn,
    platform_fee_base: terms.platformFeeBase.toString(),
    minimum_source_minor: terms.minimumSourceMinor.toString(),
    maximum_source_minor: terms.maximumSourceMinor.toString(),
    two_approvals_above_minor: terms.twoApprovalsAboveMinor?.toString() ?? null,
    batch_maximum_source_minor: terms.batchMaximumSourceMinor?.toString() ?? null,
  };
}

function changeOf({ expected_version: expectedVersion, withdrawn, ...body }: Body): TermsChange {
  const { sourceCurrency, destinationCurrency, chain, partnerId, ...terms } = toInside(body);
  const whole = (text: string | null = null) => (text === null ? null : BigInt(text));
  return {
    owner: { sourceCurrency, destinationCurrency, chain, partnerId },
    expectedVersion,
    withdrawn,
    terms: {
      ...terms,
      platformFeeBase: BigInt(terms.platformFeeBase),
      minimumSourceMinor: BigInt(terms.minimumSourceMinor),
      maximumSourceMinor: BigInt(terms.maximumSourceMinor),
      twoApprovalsAboveMinor: whole(terms.twoApprovalsAboveMinor),
      batchMaximumSourceMinor: whole(terms.batchMaximumSourceMinor),
    },
  };
}

export type SetPairTerms = {
  by: By;
  /** The pair's own terms (partner null), or one partner's override, which replaces all of them. */
  owner: TermsOwner;
  terms: Terms;
  /** The version that was on the screen; 0: there was none. A change based on an older one is refused. */
  expectedVersion: number;
  reason: string | null;
};

/**
 * Activates new terms as a new version. Existing quotes keep the version they were priced under. If two operators edit the same version,
 * one wins. Setting a withdrawn override brings it back. In live mode, changed thresholds wait for a second person.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` for an unknown partner, `unsupported_chain`, `unsupported_pair`,
 * `validation_failed` with every fault, `conflict` (with `current_version`) when the terms have changed since they were read.
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

export type WithdrawOverride = {
  by: By;
  owner: PairOnChain & { partnerId: string };
  /** As in `SetPairTerms`. */
  expectedVersion: number;
  reason: string | null;
};

/**
 * Ends a partner's override: the pair's own terms apply again. The end is a version like any other, so the history stays complete. In live
 * mode it waits for a second person if the pair's thresholds differ.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` when no override is in force, `conflict` when it has changed since it was
 * read.
 */
export async function withdrawOverride(ctx: Uses<"db" | "clock" | "chains" | "mode">, command: WithdrawOverride): Promise<ChangedTerms> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  readToken(ctx, command.owner);
  const terms = await findNewestVersion(ctx.db, command.owner);
  if (terms === null) throw new Refusal("not_found");
  return await changeTerms(ctx, { ...command, terms, withdrawn: true });
}
