import type { WrittenRule } from "#domain/policy-rule.ts";
import { type Able, RuleSentence } from "./rule-sentence.tsx";

/** The rules in order, each as a sentence with its name. */
export function RuleList({ rules, able = [], label }: { rules: readonly WrittenRule[]; able?: readonly Able[]; label: string }) {
  return (
    <ol className="rules" aria-label={label}>
      {rules.map((rule, place) => (
        <li key={rule.id} className="rule">
          <code className="rule-name" translate="no">
            {rule.id}
          </code>
          <RuleSentence rule={rule} able={able[place]} />
        </li>
      ))}
    </ol>
  );
}
