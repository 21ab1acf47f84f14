import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { compareRules, type WrittenRule } from "#domain/policy-rule.ts";
import { Button, IconButton } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Note, Section } from "../../_components/frame/page-parts.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Choices, Person } from "./answers.ts";
import { RuleSentence } from "./rule-sentence.tsx";
import { Trial } from "./trial.tsx";
import { DRAFT } from "./words.ts";

const ProposeDialog = lazyComponent(() => import("./propose-dialog.tsx").then(({ ProposeDialog: Loaded }) => Loaded));
const RuleDialog = lazyComponent(() => import("./rule-dialog.tsx").then(({ RuleDialog: Loaded }) => Loaded));

type Rules = readonly WrittenRule[];
type Props = {
  /** The draft's base, and its version. */
  begun: { version: number; rules: Rules };
  /** The present version. */
  current: number;
  choices: Choices;
  people: readonly Person[];
  onRestart: () => void;
  onEnd: () => void;
};

/** Edits the policy: nothing is sent before it is activated, and a trial shows its effect first. */
export function Draft({ begun, current, choices, people, onRestart, onEnd }: Props) {
  const t = useTranslations(DRAFT);
  const [rules, setRules] = useState<Rules>(begun.rules);
  const [edited, setEdited] = useState<WrittenRule | "new" | null>(null);
  const [isPutting, setPutting] = useState(false);
  const isSame = compareRules(begun.rules, rules).every(({ change }) => change === "kept");
  const isOvertaken = current !== begun.version;
  const keep = (rule: WrittenRule) => {
    setRules(edited === "new" || edited === null ? [...rules, rule] : rules.map((each) => (each.id === edited.id ? rule : each)));
    setEdited(null);
  };
  return (
    <Section
      title={t.title}
      aside={
        <span className="form-buttons">
          <Button onClick={onEnd}>{t.discard}</Button>
          <Button look="primary" disabled={isSame || isOvertaken} onClick={() => setPutting(true)}>
            {t.putInForce}
          </Button>
        </span>
      }
    >
      <div className="draft">
        <p className="muted">
          {t.explanation} {isSame && t.unchanged}
        </p>
        {isOvertaken && (
          <div className="note" data-kind="warning" role="alert">
            <p>{t.outdated(current)}</p>
            <Button onClick={onRestart}>{t.startAgain}</Button>
          </div>
        )}
        {rules.length === 0 ? (
          <Note>{t.noRules}</Note>
        ) : (
          <ol className="rules" aria-label={t.title}>
            {rules.map((rule, place) => (
              <li key={rule.id} className="rule" data-edited>
                <code className="rule-name" translate="no">
                  {rule.id}
                </code>
                <RuleSentence rule={rule} />
                <span className="rule-tools">
                  <IconButton
                    label={t.moveUp(rule.id)}
                    icon={ArrowUp}
                    disabled={place === 0}
                    onClick={() => setRules(moved(rules, place, -1))}
                  />
                  <IconButton
                    label={t.moveDown(rule.id)}
                    icon={ArrowDown}
                    disabled={place === rules.length - 1}
                    onClick={() => setRules(moved(rules, place, 1))}
                  />
                  <IconButton label={t.edit(rule.id)} icon={Pencil} onClick={() => setEdited(rule)} />
                  <IconButton label={t.remove(rule.id)} icon={Trash2} onClick={() => setRules(rules.filter((each) => each !== rule))} />
                </span>
              </li>
            ))}
          </ol>
        )}
        <div>
          <Button icon={Plus} onClick={() => setEdited("new")}>
            {t.add}
          </Button>
        </div>
        <Trial rules={rules} />
      </div>
      {edited !== null && (
        <RuleDialog
          rule={edited === "new" ? null : edited}
          taken={rules.flatMap((each) => (each === edited ? [] : [each.id]))}
          choices={choices}
          people={people}
          onKeep={keep}
          onClose={() => setEdited(null)}
        />
      )}
      {isPutting && (
        <ProposeDialog before={begun.rules} after={rules} version={begun.version} onClose={() => setPutting(false)} onDone={onEnd} />
      )}
    </Section>
  );
}

function moved(rules: Rules, place: number, by: 1 | -1): Rules {
  const rule = rules[place];
  if (rule === undefined) return rules;
  return rules.toSpliced(place, 1).toSpliced(place + by, 0, rule);
}
