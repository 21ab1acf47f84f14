import type { WrittenRule } from "#domain/policy-rule.ts";
import type { WithShared } from "../../_words/shared.ts";
import type { HINTS, RULE } from "./demand-words.ts";

type Translations = { rule: WithShared<typeof RULE>; hints: typeof HINTS };
export type Names = {
  partner: (id: string) => string | undefined;
  person: (id: string) => string | undefined;
  chain: (id: string) => string;
};

/** A rule's condition and its demand: the two halves of one sentence. */
export function sentenceOfRule(rule: WrittenRule, { rule: t, hints }: Translations, names: Names): { about: string; asks: string } {
  const { source_currency: from, destination_currency: to, chain, partner_id: partner, approvals } = rule;
  const said = [
    pairOf(from, to, t),
    chain && t.onChain(names.chain(chain)),
    partner && t.partner(names.partner(partner) ?? t.somePartner),
    amountOf(rule, t),
    rule.hints.length > 0 && t.where(rule.hints.map((hint) => hints[hint]).join(t.orSeparator)),
  ].filter(Boolean);
  const named = () => rule.people.map((id) => names.person(id) ?? t.formerPerson);
  const who = rule.who === "people" ? t.people(approvals, named()) : t[rule.who](approvals);
  return said.length === 0 ? { about: t.any, asks: t.waits(who) } : { about: [t.all, ...said].join(" "), asks: t.wait(who) };
}

function pairOf(from: string | null, to: string | null, t: typeof RULE): string | null {
  if (from !== null && to !== null) return t.pair(from, to);
  return from === null ? to && t.paidOut(to) : t.paidIn(from);
}

function amountOf(
  { amount, source_currency: source, destination_currency: token }: WrittenRule,
  t: WithShared<typeof RULE>,
): string | null {
  if (amount === null) return null;
  const currency = (amount.of === "source" ? source : token) ?? "";
  const written = (text: string) => `${t.format.grouped(text)} ${currency}`;
  const { from, below } = amount;
  const span =
    from === null ? t.below(written(below ?? "0")) : below === null ? t.from(written(from)) : t.between(written(from), written(below));
  return amount.of === "destination" ? `${span} ${t.received}` : span;
}
