import { useQuery } from "@tanstack/react-query";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { HINTS, RULE } from "./demand-words.ts";
import { type Names, sentenceOfRule } from "./rule-words.ts";

/** How many people could approve what a rule covers today, and how many it needs. */
export type Able = { able: number; wanted: number };

/** A rule as a sentence. Names are data; the rest is translated. */
export function RuleSentence({ rule, able }: { rule: WrittenRule; able?: Able | undefined }) {
  const [t, hints] = [useTranslations(RULE), useTranslations(HINTS)];
  const { about, asks } = sentenceOfRule(rule, { rule: t, hints }, useNames());
  return (
    <span className="rule-sentence">
      {about} <strong>{asks}</strong>.
      {able !== undefined && able.able < able.wanted && <span className="falls-short"> {t.tooFew(able.able, able.wanted)}</span>}
    </span>
  );
}

/** The names of the objects in rules. Callers show unknown and deleted ones as such. */
function useNames(): Names {
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions());
  const { data: policy } = useQuery(trpc.approvalPolicy.read.queryOptions());
  return {
    partner: (id) => choices?.partners.find((each) => each.id === id)?.name,
    person: (id) => policy?.people.find((each) => each.id === id)?.name,
    chain: (id) => choices?.chains.find(({ chain }) => chain === id)?.name ?? id,
  };
}
