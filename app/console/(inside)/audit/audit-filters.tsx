"use client";

import { useQuery } from "@tanstack/react-query";
import { ListFilter, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/button.tsx";
import { Dialog } from "../../_components/dialog.tsx";
import { Select, TextField } from "../../_components/field.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { type AuditParams, NO_FILTER } from "./search-params.ts";

type Set = (next: Partial<AuditParams>) => void;
type Props = { params: AuditParams; set: Set; isOperator: boolean };

const KINDS = [
  { value: "people", label: "All people" },
  { value: "keys", label: "All keys" },
  { value: "system", label: "The service itself" },
];

/** `partner.charge_fee_updated` as `Partner: charge fee updated`. */
export function actionWords(action: string): string {
  const words = action.replaceAll("_", " ").replace(".", ": ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function AuditFilters({ params, set, isOperator }: Props) {
  const [open, setOpen] = useState(false);
  const count = activeAuditFilters(params, []).length;
  return (
    <>
      <Button icon={ListFilter} onClick={() => setOpen(true)}>
        {count === 0 ? "Filter" : `Filter (${count})`}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Filter the audit log"
        shape="drawer"
        actions={
          <>
            <Button onClick={() => set(NO_FILTER)} disabled={count === 0}>
              Clear all
            </Button>
            <Button look="primary" onClick={() => setOpen(false)}>
              Show entries
            </Button>
          </>
        }
      >
        <Fields params={params} set={set} isOperator={isOperator} />
      </Dialog>
    </>
  );
}

function Fields({ params, set, isOperator }: Props) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const partners = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: isOperator }));
  const any = (label: string) => ({ value: "", label });
  return (
    <div className="form">
      <Select
        label="Who"
        value={params.actor ?? ""}
        choices={[any("Anybody"), ...KINDS, ...(data?.actors ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={({ target }) => set({ actor: target.value || null })}
      />
      <Select
        label="Action"
        value={params.action ?? ""}
        choices={[any("Any"), ...(data?.actions ?? []).map((value) => ({ value, label: actionWords(value) }))]}
        onChange={({ target }) => set({ action: target.value || null })}
      />
      <TextField
        label="Object"
        hint="The whole id: tx_…, a partner's, a key's"
        defaultValue={params.object ?? ""}
        onBlur={({ target }) => set({ object: target.value.trim() || null })}
        spellCheck={false}
      />
      {isOperator && (
        <Select
          label="Partner"
          value={params.partner ?? ""}
          choices={[any("Any"), ...(partners.data?.partners ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={({ target }) => set({ partner: target.value || null })}
        />
      )}
      <div className="field-row">
        <TextField
          label="From (UTC)"
          type="date"
          value={params.from ?? ""}
          onChange={({ target }) => set({ from: target.value || null })}
        />
        <TextField label="to, included" type="date" value={params.to ?? ""} onChange={({ target }) => set({ to: target.value || null })} />
      </div>
    </div>
  );
}

type Active = { text: string; without: Partial<AuditParams> };

/** The filters that hold, in words, each with what takes it away. */
export function activeAuditFilters(params: AuditParams, actors: readonly { id: string; name: string }[]): Active[] {
  const { actor, action, object, partner, from, to } = params;
  const who = KINDS.find(({ value }) => value === actor)?.label ?? actors.find(({ id }) => id === actor)?.name ?? "one person";
  const all: (Active | false)[] = [
    actor !== null && { text: who, without: { actor: null } },
    action !== null && { text: actionWords(action), without: { action: null } },
    object !== null && { text: `object ${object}`, without: { object: null } },
    partner !== null && { text: "one partner", without: { partner: null } },
    from !== null && { text: `since ${from}`, without: { from: null } },
    to !== null && { text: `until ${to}`, without: { to: null } },
  ];
  return all.filter((each) => each !== false);
}

export function ActiveAuditFilters({ params, set }: { params: AuditParams; set: Set }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const active = activeAuditFilters(params, data?.actors ?? []);
  if (active.length === 0) return null;
  return (
    <ul className="chips active-filters" aria-label="Filters">
      {active.map(({ text, without }) => (
        <li key={text}>
          <button type="button" className="chip" aria-label={`Remove the filter ${text}`} onClick={() => set(without)}>
            {text}
            <X aria-hidden size={14} />
          </button>
        </li>
      ))}
      <li>
        <Button look="quiet" onClick={() => set(NO_FILTER)}>
          Clear
        </Button>
      </li>
    </ul>
  );
}
