import { isDecider, type OperatorRole } from "./access.ts";
import { findFiatCurrency } from "./currency.ts";
import { decimal, floorToUnits } from "./decimal.ts";
import { fromAtto, toAtto } from "./exposure-limit.ts";
import type { PairTerms } from "./pair-terms.ts";
import {
  MOST_APPROVALS,
  MOST_RULES,
  type POLICY_AMOUNTS,
  POLICY_HINTS,
  type PolicyHint,
  RULE_ID,
  type WrittenRule,
} from "./policy-rule.ts";

export type Who = { kind: "deciders" | "admins" } | { kind: "people"; people: readonly string[] };

/** All conditions must be true; a null or empty one always is. */
export type PolicyRule = {
  /** Its name, one within a version. */
  id: string;
  partnerId: string | null;
  sourceCurrency: string | null;
  destinationCurrency: string | null;
  chain: string | null;
  /** In units of 10⁻¹⁸ of that currency: from (that much itself included) and below (that much itself left out). */
  amount: { of: (typeof POLICY_AMOUNTS)[number]; fromAtto: bigint | null; belowAtto: bigint | null } | null;
  /** Any one of them. */
  hints: readonly PolicyHint[];
  /** By how many different people. */
  approvals: number;
  who: Who;
};

/** One version of the policy. Its rules are tried in order: the first that matches a settlement applies. */
export type ApprovalPolicy = {
  id: string;
  version: number;
  rules: readonly PolicyRule[];
  reason: string;
  /** Whose word it was. */
  madeBy: string | null;
  madeAt: Date;
};

/** A settlement as it is quoted. */
export type QuotedSettlement = {
  partnerId: string;
  sourceCurrency: string;
  destinationCurrency: string;
  chain: string;
  sourceAmountMinor: bigint;
  destinationAmountBase: bigint;
  tokenDecimals: number;
  hints: readonly PolicyHint[];
};

/** The rule that applies to a settlement; null: the policy asks for nothing. */
export function ruleFor(rules: readonly PolicyRule[], quoted: QuotedSettlement): PolicyRule | null {
  return rules.find((rule) => fits(rule, quoted)) ?? null;
}

function fits(rule: PolicyRule, quoted: QuotedSettlement): boolean {
  const names = ["partnerId", "sourceCurrency", "destinationCurrency", "chain"] as const;
  if (!names.every((name) => rule[name] === null || rule[name] === quoted[name])) return false;
  if (rule.hints.length > 0 && !rule.hints.some((hint) => quoted.hints.includes(hint))) return false;
  if (rule.amount === null) return true;
  const amount = amountOf(rule.amount.of, quoted);
  const { fromAtto, belowAtto } = rule.amount;
  return (fromAtto === null || amount >= fromAtto) && (belowAtto === null || amount < belowAtto);
}

function amountOf(of: (typeof POLICY_AMOUNTS)[number], quoted: QuotedSettlement): bigint {
  if (of === "destination") return toAtto(quoted.destinationAmountBase, quoted.tokenDecimals);
  return sourceAtto(quoted.sourceAmountMinor, quoted.sourceCurrency);
}

function sourceAtto(amountMinor: bigint, currency: string): bigint {
  return toAtto(amountMinor, findFiatCurrency(currency)?.exponent ?? 0);
}

/** The hints that any of the rules needs. */
export function hintsAsked(rules: readonly Pick<PolicyRule, "hints">[]): PolicyHint[] {
  return POLICY_HINTS.filter((hint) => rules.some(({ hints }) => hints.includes(hint)));
}

/** What a settlement was found to need when it was quoted, by which version. */
export type Demand = { policyId: string; version: number; rule: PolicyRule; hints: readonly PolicyHint[] };

/**
 * What the decision on a settlement needs: how many approvals, and from whom. The policy adds to the terms' demands and never reduces them.
 */
export type Asked = { needed: number; who: Who };

export function askedOf(neededByTerms: number, demand: Pick<Demand, "rule"> | null): Asked {
  if (demand === null) return { needed: neededByTerms, who: { kind: "deciders" } };
  return { needed: Math.max(neededByTerms, demand.rule.approvals), who: demand.rule.who };
}

/** What terms in force ask of a decision; of a partner's own, in the place of the pair's. */
export type TermsFloor = Pick<PairTerms, "partnerId" | "sourceCurrency" | "destinationCurrency" | "chain" | "twoApprovalsAboveMinor">;

/** The least number of people who must be able to approve what a rule may match: if its amounts reach the terms' second threshold, two. */
export function wantedBy(rule: PolicyRule, terms: readonly TermsFloor[]): number {
  const isReplaced = (of: TermsFloor) =>
    rule.partnerId !== null && terms.some((own) => own.partnerId === rule.partnerId && PAIR.every((name) => own[name] === of[name]));
  const asksForTwo = terms.some(
    (each) =>
      PAIR.every((name) => rule[name] === null || rule[name] === each[name]) &&
      (each.partnerId === null ? !isReplaced(each) : rule.partnerId === null || rule.partnerId === each.partnerId) &&
      reaches(rule.amount, each),
  );
  return asksForTwo ? Math.max(2, rule.approvals) : rule.approvals;
}

const PAIR = ["sourceCurrency", "destinationCurrency", "chain"] as const;

/** Whether an amount above the second threshold is possible. For the token it always is: its amount changes with every price. */
function reaches(amount: PolicyRule["amount"], { sourceCurrency, twoApprovalsAboveMinor }: TermsFloor): boolean {
  if (twoApprovalsAboveMinor === null) return false;
  if (amount === null || amount.of === "destination" || amount.belowAtto === null) return true;
  return amount.belowAtto > sourceAtto(twoApprovalsAboveMinor + 1n, sourceCurrency);
}

/**
 * A decider's present identity and role: `machine` for a key that was created on the machine. null: the person was disabled, or the key has
 * ended.
 */
export type Elector = { principal: string; role: OperatorRole | "machine" } | null;

/** Whether somebody's yes counts now. What a person lost meanwhile, the yes that they gave has lost too. */
export function countsFor(who: Who, elector: Elector): boolean {
  if (elector === null) return false;
  const { role, principal } = elector;
  const decides = role === "machine" || isDecider(role);
  if (who.kind === "deciders") return decides;
  return decides && (who.kind === "people" ? who.people.includes(principal) : role === "admin");
}

const ATTO = 18;

export function readRule({ amount, who, people, hints, ...rest }: WrittenRule): PolicyRule {
  const units = (text: string | null) => (text === null ? null : floorToUnits(decimal(text), ATTO));
  return {
    id: rest.id,
    partnerId: rest.partner_id,
    sourceCurrency: rest.source_currency,
    destinationCurrency: rest.destination_currency,
    chain: rest.chain,
    amount: amount && { of: amount.of, fromAtto: units(amount.from), belowAtto: units(amount.below) },
    hints: POLICY_HINTS.filter((hint) => hints.includes(hint)),
    approvals: rest.approvals,
    who: who === "people" ? { kind: who, people: [...new Set(people)].toSorted() } : { kind: who },
  };
}

export function writeRule({ amount, who, hints, ...rule }: PolicyRule): WrittenRule {
  const text = (units: bigint | null) => (units === null ? null : fromAtto(units));
  return {
    id: rule.id,
    partner_id: rule.partnerId,
    source_currency: rule.sourceCurrency,
    destination_currency: rule.destinationCurrency,
    chain: rule.chain,
    amount: amount && { of: amount.of, from: text(amount.fromAtto), below: text(amount.belowAtto) },
    hints: [...hints],
    approvals: rule.approvals,
    who: who.kind,
    people: who.kind === "people" ? [...who.people] : [],
  };
}

/** Inconsistencies in rules, by a pointer into them. The service checks whether named objects exist. */
export function faultsOfRules(rules: readonly PolicyRule[]): { pointer: string; message: string }[] {
  const faults: { pointer: string; message: string }[] = [];
  if (rules.length > MOST_RULES) faults.push({ pointer: "/rules", message: `A policy has at most ${MOST_RULES} rules.` });
  for (const [place, rule] of rules.entries()) {
    const must = (holds: boolean, field: string, message: string) =>
      void (holds || faults.push({ pointer: `/rules/${place}/${field}`, message }));
    const { amount, who, approvals } = rule;
    must(RULE_ID.test(rule.id), "id", "Use 3 to 60 lower-case letters, digits and hyphens.");
    must(rules.findIndex(({ id }) => id === rule.id) === place, "id", "Another rule has this name.");
    const isCount = Number.isInteger(approvals) && approvals >= 1 && approvals <= MOST_APPROVALS;
    must(isCount, "approvals", `Enter a whole number from 1 to ${MOST_APPROVALS}.`);
    must(who.kind !== "people" || who.people.length >= Math.max(1, approvals), "people", "Name at least as many people as must approve.");
    if (amount === null) continue;
    const { of, fromAtto, belowAtto } = amount;
    must((of === "source" ? rule.sourceCurrency : rule.destinationCurrency) !== null, "amount", "Name the currency of the amount.");
    must(fromAtto !== null || belowAtto !== null, "amount", "Give a lower or an upper amount.");
    must((fromAtto ?? 0n) >= 0n && (belowAtto ?? 1n) > 0n, "amount", "The amount must not be negative.");
    must(fromAtto === null || belowAtto === null || fromAtto < belowAtto, "amount", "The upper amount must be above the lower one.");
  }
  return faults;
}

/** The faults of rules as one sentence each, by the rules' names. */
export function describeFaults(rules: readonly Pick<PolicyRule, "id">[], faults: readonly { pointer?: string; message: string }[]): string {
  const nameOf = (pointer = "") => rules[Number(/^\/rules\/(\d+)/.exec(pointer)?.[1])]?.id;
  const sentences = faults.map(({ pointer, message }) => {
    const name = nameOf(pointer);
    return name === undefined ? message : `${name}: ${message}`;
  });
  return [...new Set(sentences)].join(" ");
}
