import type { PolicyHint, WrittenRule } from "#domain/policy-rule.ts";
import type { Format } from "../../_words/formats.ts";
import type { WithShared } from "../../_words/shared.ts";
import type { RULE_FORM } from "./words.ts";

/** A rule being edited. */
export type RuleFields = {
  id: string;
  partner: string;
  source: string;
  token: string;
  chain: string;
  amountOf: "" | "source" | "destination";
  from: string;
  below: string;
  hints: readonly PolicyHint[];
  approvals: string;
  who: WrittenRule["who"];
  people: readonly string[];
};

export function fieldsOf(rule: WrittenRule | null): RuleFields {
  return {
    id: rule?.id ?? "",
    partner: rule?.partner_id ?? "",
    source: rule?.source_currency ?? "",
    token: rule?.destination_currency ?? "",
    chain: rule?.chain ?? "",
    amountOf: rule?.amount?.of ?? "",
    from: rule?.amount?.from ?? "",
    below: rule?.amount?.below ?? "",
    hints: rule?.hints ?? [],
    approvals: String(rule?.approvals ?? 1),
    who: rule?.who ?? "deciders",
    people: rule?.people ?? [],
  };
}

export function ruleOf(fields: RuleFields, { plain }: Format): WrittenRule {
  const text = (value: string) => value.trim() || null;
  const amount = (value: string) => plain(value) || null;
  return {
    id: fields.id.trim(),
    partner_id: text(fields.partner),
    source_currency: text(fields.source),
    destination_currency: text(fields.token),
    chain: text(fields.chain),
    amount: fields.amountOf === "" ? null : { of: fields.amountOf, from: amount(fields.from), below: amount(fields.below) },
    hints: [...fields.hints],
    approvals: Number(fields.approvals),
    who: fields.who,
    people: fields.who === "people" ? [...fields.people] : [],
  };
}

export type FieldFault = Partial<Record<"id" | "source" | "token" | "from" | "below" | "people", string>>;
const NAME = /^[a-z0-9][a-z0-9-]{1,58}[a-z0-9]$/;
const PLAIN = /^\d{1,16}(\.\d{1,18})?$/;

/** Errors by field. The service checks the rest, such as whether a named object exists. */
export function faultsOf(rule: WrittenRule, taken: readonly string[], t: WithShared<typeof RULE_FORM>): FieldFault {
  const faults: FieldFault = {};
  if (!NAME.test(rule.id)) faults.id = t.nameForm;
  else if (taken.includes(rule.id)) faults.id = t.nameTaken;
  if (rule.who === "people" && rule.people.length < rule.approvals) faults.people = t.tooFew;
  if (rule.amount === null) return faults;
  const { of, from, below } = rule.amount;
  if (of === "source" && rule.source_currency === null) faults.source = t.amountCurrencyWanted;
  if (of === "destination" && rule.destination_currency === null) faults.token = t.amountCurrencyWanted;
  if (from !== null && !PLAIN.test(from)) faults.from = t.amountForm;
  if (below !== null && !PLAIN.test(below)) faults.below = t.amountForm;
  if (from === null && below === null) faults.from = t.amountEmpty;
  return faults;
}
