import { compareRules, type RuleChange, type WrittenRule } from "#domain/policy-rule.ts";
import { useTranslations } from "../../_words/words.ts";
import { RuleSentence } from "./rule-sentence.tsx";
import { PROPOSE } from "./words.ts";

/** Rules added, changed, moved and removed between two versions. Unchanged ones are only named. */
export function RuleChanges({ before, after }: { before: readonly WrittenRule[]; after: readonly WrittenRule[] }) {
  const t = useTranslations(PROPOSE);
  return (
    <ol className="rules" aria-label={t.changes}>
      {compareRules(before, after).map((change) => (
        <li key={change.id} className="rule" data-change={change.change}>
          <span className="rule-change">
            <span className="badge" data-tone={TONES[change.change]}>
              {t[change.change]}
            </span>{" "}
            <code translate="no">{change.id}</code>
          </span>
          <Sentences change={change} />
        </li>
      ))}
    </ol>
  );
}

const TONES = { added: "approved", changed: "pending", moved: "quoted", kept: "cancelled", removed: "failed" } as const;

function Sentences({ change: { change, before, after } }: { change: RuleChange }) {
  const t = useTranslations(PROPOSE);
  if (change === "changed" && before !== null && after !== null)
    return (
      <dl className="rule-sides">
        <dt className="muted">{t.before}</dt>
        <dd>
          <RuleSentence rule={before} />
        </dd>
        <dt className="muted">{t.after}</dt>
        <dd>
          <RuleSentence rule={after} />
        </dd>
      </dl>
    );
  const rule = after ?? before;
  return rule && <RuleSentence rule={rule} />;
}
