import { useState } from "react";
import { MOST_APPROVALS, POLICY_HINTS, type WrittenRule } from "#domain/policy-rule.ts";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Choices, Person } from "./answers.ts";
import { HINTS } from "./demand-words.ts";
import { faultsOf, fieldsOf, type RuleFields, ruleOf } from "./rule-fields.ts";
import { RULE_FORM } from "./words.ts";

type Props = {
  /** null: a new one. */
  rule: WrittenRule | null;
  /** The names of the other rules. */
  taken: readonly string[];
  choices: Choices;
  people: readonly Person[];
  onKeep: (rule: WrittenRule) => void;
  onClose: () => void;
};

/** Edits one rule of the draft. Nothing is sent. */
export function RuleDialog({ rule, taken, choices, people, onKeep, onClose }: Props) {
  const [t, hints] = [useTranslations(RULE_FORM), useTranslations(HINTS)];
  const [fields, setFields] = useState(() => fieldsOf(rule));
  const [isTried, setTried] = useState(false);
  const written = ruleOf(fields, t.format);
  const faults = faultsOf(written, taken, t);
  const shown = isTried ? faults : {};
  const set = <Name extends keyof RuleFields>(name: Name, value: RuleFields[Name]) => setFields((before) => ({ ...before, [name]: value }));
  const bind = <Name extends "id" | "partner" | "source" | "token" | "chain" | "from" | "below" | "approvals">(name: Name) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value),
  });
  const anyOf = (values: readonly string[]) => [{ value: "", label: t.any }, ...values.map((value) => ({ value, label: value }))];
  const toggled = <Value extends string>(values: readonly Value[], value: Value) =>
    values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  const deciders = people.filter(({ is_in, role }) => is_in && role !== "viewer");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={rule ? t.editTitle(rule.id) : t.newTitle} width="wide">
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (Object.keys(faults).length === 0) onKeep(written);
        }}
      >
        <TextField label={t.name} hint={t.nameHint} error={shown.id} {...bind("id")} />
        <div className="field-row">
          <Select
            label={t.partner}
            choices={[{ value: "", label: t.everyPartner }, ...choices.partners.map(({ id, name }) => ({ value: id, label: name }))]}
            {...bind("partner")}
          />
          <Select
            label={t.chain}
            choices={[{ value: "", label: t.any }, ...choices.chains.map(({ chain, name }) => ({ value: chain, label: name }))]}
            {...bind("chain")}
          />
        </div>
        <div className="field-row">
          <Select label={t.sourceCurrency} error={shown.source} choices={anyOf(choices.source_currencies)} {...bind("source")} />
          <Select label={t.token} error={shown.token} choices={anyOf(choices.destination_currencies)} {...bind("token")} />
        </div>
        <Select
          label={t.amount}
          choices={[
            { value: "", label: t.noAmount },
            { value: "source", label: t.sourceAmount },
            { value: "destination", label: t.tokenAmount },
          ]}
          value={fields.amountOf}
          onChange={({ target }) => set("amountOf", AMOUNTS.find((each) => each === target.value) ?? "")}
        />
        {fields.amountOf !== "" && (
          <div className="field-row">
            <TextField label={t.from} error={shown.from} inputMode="decimal" {...bind("from")} />
            <TextField label={t.below} error={shown.below} inputMode="decimal" {...bind("below")} />
          </div>
        )}
        <fieldset className="rule-choices">
          <legend className="field-label">{t.hints}</legend>
          {POLICY_HINTS.map((hint) => (
            <label key={hint} className="check">
              <input type="checkbox" checked={fields.hints.includes(hint)} onChange={() => set("hints", toggled(fields.hints, hint))} />
              {hints[hint]}
            </label>
          ))}
        </fieldset>
        <div className="field-row">
          <Select label={t.approvals} choices={COUNTS} {...bind("approvals")} />
          <Select
            label={t.who}
            choices={WHO.map((value) => ({ value, label: t[value] }))}
            value={fields.who}
            onChange={({ target }) => set("who", WHO.find((each) => each === target.value) ?? "deciders")}
          />
        </div>
        {fields.who === "people" && (
          <fieldset className="rule-choices">
            <legend className="field-label">{t.people}</legend>
            {deciders.map(({ id, name, role }) => (
              <label key={id} className="check">
                <input type="checkbox" checked={fields.people.includes(id)} onChange={() => set("people", toggled(fields.people, id))} />
                <span translate="no">
                  {name} <span className="muted">{role}</span>
                </span>
              </label>
            ))}
            {shown.people && (
              <p className="field-error" role="alert">
                {shown.people}
              </p>
            )}
          </fieldset>
        )}
        <DialogButtons onCancel={onClose} cancel={t.cancel}>
          {t.save}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

const AMOUNTS = ["", "source", "destination"] as const;
const WHO = ["deciders", "admins", "people"] as const;
const COUNTS = Array.from({ length: MOST_APPROVALS }, (_, place) => ({ value: String(place + 1), label: String(place + 1) }));
