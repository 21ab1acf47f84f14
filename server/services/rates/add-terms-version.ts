import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findNewestVersion, insertTerms, type TermsOwner, type TermsVersion } from "#db/queries/rates/pair-terms.ts";
import { actorId, type By, SYSTEM } from "#domain/access.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { newId } from "#domain/ids.ts";
import { baseToDecimal } from "#domain/money.ts";
import { faultsOfTerms, type PairOnChain, type Terms } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Uses } from "#server/context.ts";

export function readToken(ctx: Uses<"chains">, owner: TermsOwner): TokenInfo {
  const chain = ctx.chains.find(owner.chain);
  if (chain === null) throw new Refusal("unsupported_chain");
  const token = chain.tokens.find((each) => each.currency === owner.destinationCurrency);
  if (token === undefined || findFiatCurrency(owner.sourceCurrency) === null) throw new Refusal("unsupported_pair");
  return token;
}

/** The newest version must be the one that the operator saw. */
export async function readExpectedVersion(tx: Database, owner: TermsOwner, expected: number): Promise<TermsVersion | null> {
  const current = await findNewestVersion(tx, owner);
  if ((current?.version ?? 0) !== expected) throw changedMeanwhile(current?.version ?? 0);
  return current;
}

type NewVersion = {
  by: By;
  owner: TermsOwner;
  terms: Terms;
  withdrawn: boolean;
  current: TermsVersion | null;
  action: string;
  reason: string | null;
  token: TokenInfo;
};

/** Adds the next version and the audit entry. The database lets only one writer have a version's number. */
export async function addTermsVersion(tx: Database, next: NewVersion): Promise<TermsVersion> {
  const { by, owner, token, current } = next;
  const now = await readBusinessNow(tx);
  const id = actorId(by.actor);
  const version: TermsVersion = {
    id: newId("terms", now),
    ...pickOwner(owner),
    ...pickTerms(next.terms),
    version: (current?.version ?? 0) + 1,
    withdrawn: next.withdrawn,
    createdAt: now,
    createdBy: id === null ? by.actor.type : `${by.actor.type}:${id}`,
  };
  if (!(await insertTerms(tx, version))) throw changedMeanwhile(version.version);
  await insertAuditEntry(tx, {
    by,
    partnerId: owner.partnerId,
    action: next.action,
    objectId: version.id,
    reason: next.reason,
    change: { ...namesOf(owner), version: version.version, before: current && wireTerms(current, token), after: wireTerms(version, token) },
    now,
  });
  return version;
}

function pickOwner({ sourceCurrency, destinationCurrency, chain, partnerId }: TermsOwner): TermsOwner {
  return { sourceCurrency, destinationCurrency, chain, partnerId };
}

function pickTerms(terms: Terms): Terms {
  const { enabled, spreadBps, platformFeeBase, minimumSourceMinor, maximumSourceMinor, twoApprovalsAboveMinor } = terms;
  const { batchMaximumSourceMinor, quoteLifetimeSeconds, approvedLifetimeSeconds } = terms;
  const limits = { minimumSourceMinor, maximumSourceMinor, twoApprovalsAboveMinor, batchMaximumSourceMinor };
  return { enabled, spreadBps, platformFeeBase, ...limits, quoteLifetimeSeconds, approvedLifetimeSeconds };
}

function namesOf(owner: TermsOwner): Record<string, unknown> {
  return { source_currency: owner.sourceCurrency, destination_currency: owner.destinationCurrency, chain: owner.chain };
}

function wireTerms(terms: Terms & { withdrawn: boolean }, token: TokenInfo): Record<string, unknown> {
  return {
    enabled: terms.enabled,
    withdrawn: terms.withdrawn,
    spread_bps: terms.spreadBps,
    platform_fee: formatDecimal(baseToDecimal(terms.platformFeeBase, token.decimals)),
    minimum_source_amount: Number(terms.minimumSourceMinor),
    maximum_source_amount: Number(terms.maximumSourceMinor),
    two_approvals_above_amount: terms.twoApprovalsAboveMinor === null ? null : Number(terms.twoApprovalsAboveMinor),
    batch_maximum_source_amount: terms.batchMaximumSourceMinor === null ? null : Number(terms.batchMaximumSourceMinor),
    quote_lifetime_seconds: terms.quoteLifetimeSeconds,
    approved_lifetime_seconds: terms.approvedLifetimeSeconds,
  };
}

function changedMeanwhile(currentVersion: number): Refusal {
  return new Refusal("conflict", {
    detail: "The terms have changed since they were read. Read them again.",
    members: { current_version: currentVersion },
  });
}

export type OpenedPair = PairOnChain & { opened: boolean };

/**
 * Gives pairs their first terms, all or none: for setting the service up. A pair that has terms keeps them: from then on an administrator
 * changes them, and the same file can be applied again.
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
