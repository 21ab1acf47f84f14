import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LIMIT_KINDS } from "#domain/exposure-limit.ts";
import { Select, TextArea, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmForm } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { named } from "../../_components/lists/filters.ts";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import type { Format } from "../../_words/formats.ts";
import { useTranslations } from "../../_words/words.ts";
import type { Limit } from "./answers.ts";
import { LIMIT, LIMIT_DIALOG } from "./limit-words.ts";
import { PastEffect } from "./past-effect.tsx";

type Props = {
  /** null: a new one. */
  limit: Limit | null;
  partners: readonly { id: string; name: string }[];
  onClose: () => void;
  onSaved: () => void;
};

type Fields = Record<
  | "id"
  | "kind"
  | "mode"
  | "purpose"
  | "partner"
  | "from"
  | "to"
  | "chain"
  | "counted"
  | "window"
  | "amount"
  | "times"
  | "hours"
  | "addresses",
  string
>;

function fieldsOf(limit: Limit | null): Fields {
  return {
    id: limit?.id ?? "",
    kind: limit?.kind ?? "velocity",
    mode: limit?.mode ?? "dry_run",
    purpose: limit?.purpose ?? "",
    partner: limit?.partner_id ?? "",
    from: limit?.source_currency ?? "",
    to: limit?.destination_currency ?? "",
    chain: limit?.chain ?? "",
    counted: limit?.counted_by ?? "partner",
    window: limit?.window ?? "hour",
    amount: limit?.amount ?? "",
    times: limit?.times_maximum?.toString() ?? "",
    hours: limit?.wait_hours?.toString() ?? "24",
    addresses: limit?.addresses?.join("\n") ?? "",
  };
}

/** Sets a limit as a new version. The service reports inconsistencies. */
export function LimitDialog({ limit, partners, onClose, onSaved }: Props) {
  const t = useTranslations(LIMIT_DIALOG);
  const words = useTranslations(LIMIT);
  const client = useTRPCClient();
  const toast = useToast();
  const [fields, setFields] = useState(() => fieldsOf(limit));
  const { kind } = fields;
  const counts = kind === "velocity" || kind === "wallet";
  const waits = kind === "new_destination" || kind === "new_key";
  const bind = (name: keyof Fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields((before) => ({ ...before, [name]: target.value })),
  });
  const save = async (reason: string) =>
    await client.exposure.setLimit.mutate({ ...inputOf(fields, t.format), expected_version: limit?.version ?? 0, reason });
  const done = ({ proposed }: { proposed: boolean }, hasLeft: boolean) => {
    toast(proposed ? t.proposed : t.saved, proposed ? t.proposedMore : t.savedMore(fields.id));
    onSaved();
    if (!hasLeft) onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={limit ? t.changeLimit(limit.id) : t.newLimit} width="wide">
      <ConfirmForm
        button={limit ? t.saveLimit : t.setLimit}
        reason
        ready={fields.id.trim() !== ""}
        mutation={save}
        onDone={done}
        onCancel={onClose}
      >
        <div className="field-row">
          <TextField label={t.name} hint={t.nameHint} disabled={limit !== null} {...bind("id")} />
          <Select label={t.mode} choices={choicesOf(words.modes)} {...bind("mode")} />
        </div>
        <div className="field-row">
          <Select label={t.kind} choices={choicesOf(words.kinds)} {...bind("kind")} />
          {kind === "velocity" && <Select label={t.counted} choices={choicesOf(words.counted)} {...bind("counted")} />}
        </div>
        {counts && (
          <>
            <Select label={t.within} choices={choicesOf(words.windows)} {...bind("window")} />
            <div className="field-row">
              <TextField
                label={t.amount}
                hint={kind === "wallet" ? t.walletAmountHint : t.amountHint}
                inputMode="decimal"
                {...bind("amount")}
              />
              {kind === "velocity" && <TextField label={t.times} hint={t.timesHint} inputMode="numeric" {...bind("times")} />}
            </div>
          </>
        )}
        {isInFiat(kind) && <TextField label={t.amount} hint={t.creditHint} inputMode="decimal" {...bind("amount")} />}
        {waits && <TextField label={t.hours} hint={t.hoursHint} inputMode="decimal" {...bind("hours")} />}
        {kind === "allow_list" && <TextArea label={t.destinations} hint={t.destinationsHint} spellCheck={false} {...bind("addresses")} />}
        <div className="field-row">
          <Select label={t.appliesTo} choices={[{ value: "", label: t.everyPurpose }, ...choicesOf(words.purposes)]} {...bind("purpose")} />
          <Select label={t.partner} choices={[{ value: "", label: t.everyPartner }, ...named(partners)]} {...bind("partner")} />
        </div>
        <div className="field-row">
          <TextField label={t.sourceCurrency} hint={t.emptyAny} {...bind("from")} />
          <TextField label={t.token} hint={t.emptyAny} {...bind("to")} />
          <TextField label={t.chain} hint={t.emptyAny} {...bind("chain")} />
        </div>
        <LimitEffect input={inputOf(fields, t.format)} />
      </ConfirmForm>
    </Dialog>
  );
}

type Input = ReturnType<typeof inputOf>;

/** What the limit as it is written would have stopped. It follows the typing after a short rest. */
function LimitEffect({ input }: { input: Input }) {
  const written = useDeferredInput(input);
  const { data, error } = useQuery(useTRPC().exposure.tryLimit.queryOptions({ ...written, id: written.id || "try" }, { retry: false }));
  return error ? null : <PastEffect answer={data} />;
}

const REST_MS = 400;

function useDeferredInput(input: Input): Input {
  const [settled, setSettled] = useState(input);
  const text = JSON.stringify(input);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text)), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const choicesOf = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }));

const PURPOSES = ["settlement", "topup", "withdrawal", "return"] as const;
/** An account may contain spaces. */
const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Its amount is in the source currency. */
function isInFiat(kind: string): boolean {
  return kind === "credit_line" || kind === "open_quotes" || kind === "open_loss";
}

/** The fields that belong to the kind. All others are dropped, whatever they contain. */
function inputOf(fields: Fields, { plain }: Format) {
  const kind = pick(fields.kind, LIMIT_KINDS);
  const counts = kind === "velocity" || kind === "wallet";
  const text = (value: string) => value.trim() || null;
  const decimal = (value: string) => plain(value) || null;
  const number = (value: string) => (text(value) === null ? null : Number(text(value)));
  const waits = kind === "new_destination" || kind === "new_key";
  return {
    id: fields.id.trim(),
    kind,
    mode: pick(fields.mode, ["enforce", "dry_run", "off"] as const),
    purpose: PURPOSES.find((purpose) => purpose === fields.purpose) ?? null,
    partner_id: text(fields.partner),
    source_currency: text(fields.from),
    destination_currency: text(fields.to),
    chain: text(fields.chain),
    counted_by: kind === "velocity" ? pick(fields.counted, ["partner", "pair", "destination", "member", "all"] as const) : null,
    window: counts ? pick(fields.window, ["hour", "day"] as const) : null,
    amount: counts || isInFiat(kind) ? decimal(fields.amount) : null,
    times_maximum: kind === "velocity" ? number(plain(fields.times)) : null,
    wait_hours: waits ? number(fields.hours) : null,
    addresses: kind === "allow_list" ? linesOf(fields.addresses) : null,
  };
}

function pick<Value extends string>(choice: string, known: readonly [Value, ...Value[]]): Value {
  return known.find((value) => value === choice) ?? known[0];
}
