import { readRule, writeRule } from "./approval-policy.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { DEFAULT_LIMITS } from "./default-limits.ts";
import type { Limit, LimitTerms } from "./exposure-limit.ts";
import type { PairOnChain, Terms } from "./pair-terms.ts";
import type { WrittenRule } from "./policy-rule.ts";
import { challengeOf } from "./signed-decision.ts";

/**
 * Rules that hold for many payments: limits, the maxima of pairs, the approval policy, and lifts of halts. In live mode a passkey has signed each,
 * or the signer's settings accept it by its fingerprint (docs/decisions/signed-rules.md).
 */

/** Which amounts wait for people. */
export type Thresholds = Pick<Terms, "maximumSourceMinor" | "twoApprovalsAboveMinor" | "batchMaximumSourceMinor">;
export type ThresholdsOwner = PairOnChain & { partnerId: string | null };
export type LiftedHalt = { id: string; scopeKind: string; scopeKey: string; since: Date };
export type PolicyVersion = { version: number; rules: readonly WrittenRule[] };

/** What a passkey has signed of a rule. `signedAt`: when its person was asked. */
export type SignedRule =
  | { kind: "exposure_limit"; id: string; version: number; terms: LimitTerms }
  | { kind: "pair_terms"; owner: ThresholdsOwner; version: number; isWithdrawn: boolean; thresholds: Thresholds }
  | ({ kind: "approval_policy"; signedAt: Date } & PolicyVersion)
  | { kind: "lane_lift"; haltId: string; scopeKind: string; scopeKey: string; signedAt: Date };
export type SignedRules<Kind extends SignedRule["kind"]> = readonly Extract<SignedRule, { kind: Kind }>[];
export type RuleKind = SignedRule["kind"];

/** The fingerprints that the signer's settings name. */
export type Accepted = ReadonlySet<string>;

const textOf = (value: bigint | null) => value?.toString() ?? null;
const fingerprint = (kind: RuleKind, content: Json) => challengeOf(canonicalJson({ kind, content }));

function limitContent(terms: LimitTerms): Json {
  const { kind, mode, purpose, partnerId, sourceCurrency, destinationCurrency, chain, countedBy, windowSeconds } = terms;
  const { amountAtto, timesMaximum, waitSeconds, addresses } = terms;
  const about = { kind, mode, purpose, partnerId, sourceCurrency, destinationCurrency, chain };
  return { ...about, countedBy, windowSeconds, amountAtto: textOf(amountAtto), timesMaximum, waitSeconds, addresses };
}

const isSameLimit = (one: LimitTerms, other: LimitTerms) => canonicalJson(limitContent(one)) === canonicalJson(limitContent(other));

export const limitFingerprint = ({ id, version, ...terms }: Limit) =>
  fingerprint("exposure_limit", { id, version, terms: limitContent(terms) });

/** Whether people have signed the limit in force, or it is an unchanged default, or the settings accept this version. */
export function isLimitSigned(limit: Limit, signed: SignedRules<"exposure_limit">, accepted: Accepted): boolean {
  if (accepted.has(limitFingerprint(limit))) return true;
  const newest = newestOf(signed.filter(({ id }) => id === limit.id));
  if (newest !== undefined) return newest.version === limit.version && isSameLimit(newest.terms, limit);
  const standard = DEFAULT_LIMITS.find(({ id }) => id === limit.id);
  return standard !== undefined && isSameLimit(standard, limit);
}

const thresholdsContent = ({ maximumSourceMinor, twoApprovalsAboveMinor, batchMaximumSourceMinor }: Thresholds): Json => ({
  maximum: textOf(maximumSourceMinor),
  two_approvals_above: textOf(twoApprovalsAboveMinor),
  batch_maximum: textOf(batchMaximumSourceMinor),
});
const ownerText = ({ sourceCurrency, destinationCurrency, chain, partnerId }: ThresholdsOwner) =>
  canonicalJson({ sourceCurrency, destinationCurrency, chain, partnerId });
const areSame = (one: Thresholds, other: Thresholds) => canonicalJson(thresholdsContent(one)) === canonicalJson(thresholdsContent(other));

export const termsFingerprint = (owner: ThresholdsOwner, thresholds: Thresholds) =>
  fingerprint("pair_terms", { owner: ownerText(owner), thresholds: thresholdsContent(thresholds) });

/**
 * Whether people have signed the thresholds of these terms. One person changes the rest of them, so it is the newest signed version up to this
 * one that counts. Without one the settings must accept them; a partner's own may also equal thresholds of its pair.
 */
export function areTermsSigned(
  terms: ThresholdsOwner & Thresholds & { version: number },
  signed: SignedRules<"pair_terms">,
  accepted: Accepted,
): boolean {
  const own = newestOf(signed.filter(({ owner, version }) => ownerText(owner) === ownerText(terms) && version <= terms.version));
  if (own !== undefined && !own.isWithdrawn) return areSame(own.thresholds, terms);
  if (own === undefined && accepted.has(termsFingerprint(terms, terms))) return true;
  if (terms.partnerId === null) return false;
  const pair = { ...terms, partnerId: null };
  return (
    accepted.has(termsFingerprint(pair, terms)) ||
    signed.some(({ owner, thresholds }) => ownerText(owner) === ownerText(pair) && areSame(thresholds, terms))
  );
}

export const policyFingerprint = ({ version, rules }: PolicyVersion) =>
  fingerprint("approval_policy", { version, rules: rules.map((rule) => writeRule(readRule(rule))) as unknown as Json });

/** When quotes were given by an unsigned version: between the signed versions around it. Null: it is signed or accepted. */
export function unsignedPeriod(
  policy: PolicyVersion,
  signed: SignedRules<"approval_policy">,
  accepted: Accepted,
): { from: Date | null; to: Date | null } | null {
  const { version } = policy;
  const isSame = (one: PolicyVersion) => one.version === version && policyFingerprint(one) === policyFingerprint(policy);
  if (accepted.has(policyFingerprint(policy)) || signed.some(isSame)) return null;
  const before = newestOf(signed.filter((one) => one.version < version));
  const [after] = signed.filter((one) => one.version > version).toSorted((one, other) => one.version - other.version);
  return { from: before?.signedAt ?? null, to: after?.signedAt ?? null };
}

export const liftFingerprint = ({ id }: Pick<LiftedHalt, "id">) => fingerprint("lane_lift", { halt: id });

/** Whether people have signed the lift, or later that of another halt of the same scope. */
export function isLiftSigned(halt: LiftedHalt, signed: SignedRules<"lane_lift">, accepted: Accepted): boolean {
  if (accepted.has(liftFingerprint(halt))) return true;
  const ofScope = signed.filter(({ scopeKind, scopeKey }) => scopeKind === halt.scopeKind && scopeKey === halt.scopeKey);
  return ofScope.some(({ haltId, signedAt }) => haltId === halt.id || signedAt > halt.since);
}

function newestOf<Rule extends { version: number }>(rules: readonly Rule[]): Rule | undefined {
  return rules.toSorted((one, other) => other.version - one.version)[0];
}
