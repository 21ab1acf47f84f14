import type { WrittenRule } from "#domain/policy-rule.ts";
import { grouped } from "../../_format/amount.ts";
import type { HINTS, RULE } from "./demand-words.ts";

type Says = { rule: typeof RULE; hints: typeof HINTS };
export type Names = {
  partner: (id: string) => string | undefined;
  person: (id: string) => string | undefined;
  chain: (id: string) => string;
};

/** What a rule is about, and what it asks for: two halves of one sentence. */
export function sentenceOfRule(rule: WrittenRule, { rule: says, hints }: Says, names: Names): { about: string; asks: string } {
  const { source_currency: from, destination_currency: to, chain, partner_id: partner, approvals } = rule;
  const said = [
    pairOf(from, to, says),
    chain && says.on(names.chain(chain)),
    partner && says.partner(names.partner(partner) ?? says.somePartner),
    amountOf(rule, says),
    rule.hints.length > 0 && says.where(rule.hints.map((hint) => hints[hint]).join(says.or)),
  ].filter(Boolean);
  const named = () => rule.people.map((id) => names.person(id) ?? says.gone);
  const who = rule.who === "people" ? says.people(approvals, named()) : says[rule.who](approvals);
  return said.length === 0 ? { about: says.any, asks: says.waits(who) } : { about: [says.all, ...said].join(" "), asks: says.wait(who) };
}

function pairOf(from: string | null, to: string | null, says: typeof RULE): string | null {
  if (from !== null && to !== null) return says.pair(from, to);
  return from === null ? to && says.paidOut(to) : says.paidIn(from);
}

function amountOf({ amount, source_currency: source, destination_currency: token }: WrittenRule, says: typeof RULE): string | null {
  if (amount === null) return null;
  const currency = (amount.of === "source" ? source : token) ?? "";
  const written = (text: string) => `${grouped(text)} ${currency}`;
  const { from, below } = amount;
  const span =
    from === null
      ? says.below(written(below ?? "0"))
      : below === null
        ? says.from(written(from))
        : says.between(written(from), written(below));
  return amount.of === "destination" ? `${span} ${says.received}` : span;
}
