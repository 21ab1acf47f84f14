import { useState } from "react";
import { Select, TextArea, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedForm } from "../../_components/dialogs/deed-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import type { Limit } from "./answers.ts";
import { COUNTED, KINDS, MODES, WINDOWS } from "./limit-choices.ts";

type Props = {
  /** null: a new one. */
  limit: Limit | null;
  partners: readonly { id: string; name: string }[];
  onClose: () => void;
  onSaved: () => void;
};

type Fields = Record<
  "id" | "kind" | "mode" | "partner" | "from" | "to" | "chain" | "counted" | "window" | "amount" | "times" | "hours" | "addresses",
  string
>;

function fieldsOf(limit: Limit | null): Fields {
  return {
    id: limit?.id ?? "",
    kind: limit?.kind ?? "velocity",
    mode: limit?.mode ?? "dry_run",
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

/** Sets a limit as a new version. What does not fit together, the service says. */
export function LimitDialog({ limit, partners, onClose, onSaved }: Props) {
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
    await client.exposure.setLimit.mutate({ ...inputOf(fields), expected_version: limit?.version ?? 0, reason });
  const done = ({ proposed }: { proposed: boolean }, hasLeft: boolean) => {
    toast(proposed ? "Proposed" : "Saved", proposed ? "The limit holds once another admin has confirmed it." : `The limit ${fields.id}`);
    onSaved();
    if (!hasLeft) onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={limit ? `Change the limit ${limit.id}` : "New limit"} width="wide">
      <DeedForm
        button={limit ? "Save the limit" : "Set the limit"}
        reason
        ready={fields.id.trim() !== ""}
        deed={save}
        onDone={done}
        onCancel={onClose}
      >
        <div className="field-row">
          <TextField
            label="Name"
            hint="Small letters, digits, hyphens"
            disabled={limit !== null}
            autoComplete="off"
            spellCheck={false}
            {...bind("id")}
          />
          <Select label="Mode" choices={MODES} {...bind("mode")} />
        </div>
        <div className="field-row">
          <Select label="What is limited" choices={KINDS} {...bind("kind")} />
          {kind === "velocity" && <Select label="Counted" choices={COUNTED} {...bind("counted")} />}
        </div>
        {counts && (
          <>
            <Select label="Within" choices={WINDOWS} {...bind("window")} />
            <div className="field-row">
              <TextField label="Amount" hint="In units of the token; or" inputMode="decimal" {...bind("amount")} />
              <TextField
                label="Times the pair's maximum"
                hint="A whole number, where no amount is set"
                inputMode="numeric"
                {...bind("times")}
              />
            </div>
          </>
        )}
        {kind === "credit_line" && <TextField label="Amount" hint="In the source currency" inputMode="decimal" {...bind("amount")} />}
        {waits && <TextField label="Hours" hint="After so long it counts as known" inputMode="decimal" {...bind("hours")} />}
        {kind === "allow_list" && <TextArea label="Destinations" hint="One address a line" spellCheck={false} {...bind("addresses")} />}
        <Select
          label="Partner"
          choices={[{ value: "", label: "Every partner" }, ...partners.map(({ id, name }) => ({ value: id, label: name }))]}
          {...bind("partner")}
        />
        <div className="field-row">
          <TextField label="Source currency" hint="Empty: any" autoComplete="off" {...bind("from")} />
          <TextField label="Token" hint="Empty: any" autoComplete="off" {...bind("to")} />
          <TextField label="Chain" hint="Empty: any" autoComplete="off" {...bind("chain")} />
        </div>
      </DeedForm>
    </Dialog>
  );
}

/** What of the fields belongs to the kind; the rest is left out, whatever stands in it. */
function inputOf(fields: Fields) {
  const kind = pick(fields.kind, ["velocity", "wallet", "credit_line", "new_destination", "new_key", "allow_list"] as const);
  const counts = kind === "velocity" || kind === "wallet";
  const text = (value: string) => value.replaceAll(",", "").trim() || null;
  const number = (value: string) => (text(value) === null ? null : Number(text(value)));
  const waits = kind === "new_destination" || kind === "new_key";
  return {
    id: fields.id.trim(),
    kind,
    mode: pick(fields.mode, ["enforce", "dry_run", "off"] as const),
    partner_id: text(fields.partner),
    source_currency: text(fields.from),
    destination_currency: text(fields.to),
    chain: text(fields.chain),
    counted_by: kind === "velocity" ? pick(fields.counted, ["partner", "pair", "destination", "all"] as const) : null,
    window: counts ? pick(fields.window, ["hour", "day"] as const) : null,
    amount: counts || kind === "credit_line" ? text(fields.amount) : null,
    times_maximum: counts ? number(fields.times) : null,
    wait_hours: waits ? number(fields.hours) : null,
    addresses: kind === "allow_list" ? fields.addresses.split(/\s+/).filter(Boolean) : null,
  };
}

function pick<Value extends string>(told: string, known: readonly [Value, ...Value[]]): Value {
  return known.find((value) => value === told) ?? known[0];
}
