import {
  listLifts,
  listLimitsInForce,
  listPolicyVersions,
  listTermsById,
  listTermsInUse,
  readRulesInForce,
} from "#db/queries/proposals/rules-in-force.ts";
import { listNewestTerms } from "#db/queries/rates/pair-terms-lists.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { formatDecimal } from "#domain/decimal.ts";
import {
  areTermsSigned,
  isLiftSigned,
  isLimitSigned,
  liftFingerprint,
  limitFingerprint,
  policyFingerprint,
  type Thresholds,
  type ThresholdsOwner,
  termsFingerprint,
  unsignedPeriod,
} from "#domain/rules-in-force.ts";
import type { Uses } from "#server/context.ts";
import { readSignedRules, type VerifiedRules } from "#server/services/proposals/signed-rules.ts";

/** `what`: the rule in plain words. */
export type UnsignedRule = { what: string; fingerprint: string };

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The rules in force that no passkey has signed and that are no defaults: what commands on the machine have set, and what people have set before
 * decisions were signed. In live mode payments that they concern wait until the signer's settings name their fingerprints.
 */
export async function listUnsignedRules(ctx: Uses<"db" | "passkeys" | "clock">): Promise<UnsignedRule[]> {
  const verified: VerifiedRules = new Map();
  const limits = await readSignedRules(ctx, "exposure_limit", verified);
  const terms = await readSignedRules(ctx, "pair_terms", verified);
  const policies = await readSignedRules(ctx, "approval_policy", verified);
  const lifts = await readSignedRules(ctx, "lane_lift", verified);
  const { policies: versions } = await readRulesInForce(ctx.db, { transferIds: [], knownLifts: [] });
  const newest = versions.toSorted((one, other) => other - one).slice(0, 1);
  const inForce = (await listNewestTerms(ctx.db)).filter(({ withdrawn }) => !withdrawn);
  const named = [...inForce, ...(await listTermsById(ctx.db, await listTermsInUse(ctx.db)))].filter(
    (one) => !areTermsSigned(one, terms, NOTHING),
  );
  return [
    ...[...new Map(named.map((one) => [termsFingerprint(one, one), describeTerms(one)]))].map(([fingerprint, what]) => ({
      what,
      fingerprint,
    })),
    ...(await listLimitsInForce(ctx.db))
      .filter((limit) => !isLimitSigned(limit, limits, NOTHING))
      .map((limit) => ({
        what: `limit ${limit.id}, version ${limit.version}: ${limit.kind}, ${limit.mode}. ${limit.reason}`,
        fingerprint: limitFingerprint(limit),
      })),
    ...(await listPolicyVersions(ctx.db, newest))
      .filter((policy) => unsignedPeriod(policy, policies, NOTHING) !== null)
      .map((policy) => ({
        what: `approval policy, version ${policy.version}: ${policy.rules.length} rules`,
        fingerprint: policyFingerprint(policy),
      })),
    ...(await listLifts(ctx.db))
      .filter((halt) => !isLiftSigned(halt, lifts, NOTHING))
      .map((halt) => ({
        what: `lift of the halt ${halt.id} of ${halt.scopeKind} ${halt.scopeKey}, since ${halt.since.toISOString()}`,
        fingerprint: liftFingerprint(halt),
      })),
  ];
}

function describeTerms(terms: ThresholdsOwner & Thresholds): string {
  const { sourceCurrency, destinationCurrency, chain, partnerId } = terms;
  const scale = findFiatCurrency(sourceCurrency)?.exponent ?? 0;
  const amount = (minor: bigint | null) => (minor === null ? "never" : `above ${formatDecimal({ coefficient: minor, scale })}`);
  const whose = partnerId === null ? "" : ` of the partner ${partnerId}`;
  const counted = [
    `one approval ${amount(terms.maximumSourceMinor)}`,
    `two ${amount(terms.twoApprovalsAboveMinor)}`,
    `a batch's sum ${amount(terms.batchMaximumSourceMinor)}`,
  ];
  return `terms${whose}, ${sourceCurrency} to ${destinationCurrency} on ${chain}: ${counted.join(", ")}`;
}
