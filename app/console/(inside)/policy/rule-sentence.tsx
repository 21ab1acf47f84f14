import type { WrittenRule } from "#domain/policy-rule.ts";
import { useTranslations } from "../../_words/words.ts";
import { HINTS, RULE } from "./demand-words.ts";
import { sentenceOfRule } from "./rule-words.ts";
import { useNames } from "./use-names.ts";

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
