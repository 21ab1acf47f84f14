"use client";

import { useQuery } from "@tanstack/react-query";
import { ListFilter, X } from "lucide-react";
import { useState } from "react";
import { CALLBACK_STATES } from "#server/domain/callback.ts";
import { SETTLEMENT_VIEWS, type SettlementView } from "#server/domain/settlement-view.ts";
import { Button } from "../../_components/button.tsx";
import { Dialog } from "../../_components/dialog.tsx";
import { Select, TextField } from "../../_components/field.tsx";
import { VIEW_WORDS } from "../../_components/status-badge.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { FROM_THE_TOP, type ListParams, NO_FILTER } from "./search-params.ts";

export type SetParams = (next: Partial<ListParams>) => void;
type FiltersProps = { params: ListParams; set: SetParams; isOperator: boolean };

const ANY = { value: "", label: "Any" };
const CALLBACK_WORDS = { pending: "Retrying", delivered: "Delivered", undelivered: "Undelivered" };

/** All that a list can be narrowed by, out of the way until it is wanted. */
export function Filters({ params, set, isOperator }: FiltersProps) {
  const [open, setOpen] = useState(false);
  const count = activeFilters(params, {}).length;
  return (
    <>
      <Button icon={ListFilter} onClick={() => setOpen(true)}>
        {count === 0 ? "Filter" : `Filter (${count})`}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Filter settlements"
        shape="drawer"
        actions={
          <>
            <Button onClick={() => set(NO_FILTER)} disabled={count === 0}>
              Clear all
            </Button>
            <Button look="primary" onClick={() => setOpen(false)}>
              Show settlements
            </Button>
          </>
        }
      >
        <FilterFields params={params} set={(next) => set({ ...FROM_THE_TOP, ...next })} isOperator={isOperator} />
      </Dialog>
    </>
  );
}

function FilterFields({ params, set, isOperator }: FiltersProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const plain = (values: readonly string[] = []) => [ANY, ...values.map((value) => ({ value, label: value }))];
  const view = (text: string): SettlementView | null => SETTLEMENT_VIEWS.find((each) => each === text) ?? null;
  return (
    <div className="form">
      <Select
        label="State"
        value={params.view ?? ""}
        choices={[ANY, ...SETTLEMENT_VIEWS.map((value) => ({ value, label: VIEW_WORDS[value] }))]}
        onChange={({ target }) => set({ view: view(target.value) })}
      />
      {isOperator && (
        <Select
          label="Partner"
          value={params.partner ?? ""}
          choices={[ANY, ...(data?.partners ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={({ target }) => set({ partner: target.value || null })}
        />
      )}
      <div className="field-row">
        <Select
          label="Source currency"
          value={params.source ?? ""}
          choices={plain(data?.source_currencies)}
          onChange={({ target }) => set({ source: target.value || null })}
        />
        <Select
          label="Destination currency"
          value={params.destination ?? ""}
          choices={plain(data?.destination_currencies)}
          onChange={({ target }) => set({ destination: target.value || null })}
        />
      </div>
      <div className="field-row">
        <Amount label="Source amount from" value={params.amount_from} on={(amount_from) => set({ amount_from })} currency={params.source} />
        <Amount label="to" value={params.amount_to} on={(amount_to) => set({ amount_to })} currency={params.source} />
      </div>
      <Select
        label="Chain"
        value={params.chain ?? ""}
        choices={[ANY, ...(data?.chains ?? []).map(({ chain, name }) => ({ value: chain, label: `${name} (${chain})` }))]}
        onChange={({ target }) => set({ chain: target.value || null })}
      />
      <TextField
        label="Merchant"
        hint="The whole reference"
        defaultValue={params.merchant ?? ""}
        onBlur={({ target }) => set({ merchant: target.value.trim() || null })}
      />
      <div className="field-row">
        <TextField
          label="Created from (UTC)"
          type="date"
          value={params.from ?? ""}
          onChange={({ target }) => set({ from: target.value || null })}
        />
        <TextField label="to, included" type="date" value={params.to ?? ""} onChange={({ target }) => set({ to: target.value || null })} />
      </div>
      <Select
        label="Callbacks"
        value={params.callbacks ?? ""}
        choices={[ANY, ...CALLBACK_STATES.map((value) => ({ value, label: CALLBACK_WORDS[value] }))]}
        onChange={({ target }) => set({ callbacks: CALLBACK_STATES.find((each) => each === target.value) ?? null })}
      />
      {isOperator && (
        <label className="check">
          <input
            type="checkbox"
            checked={params.mine === "decided"}
            onChange={({ target }) => set({ mine: target.checked ? "decided" : null })}
          />
          Decided by me
        </label>
      )}
    </div>
  );
}

function Amount({
  label,
  value,
  on,
  currency,
}: {
  label: string;
  value: string | null;
  on: (value: string | null) => void;
  currency: string | null;
}) {
  const set = (text: string) => on(/^\d{1,16}(\.\d{1,4})?$/.test(text) ? text : null);
  return (
    <TextField
      label={label}
      inputMode="decimal"
      disabled={currency === null}
      hint={currency ?? "Choose a source currency first"}
      defaultValue={value ?? ""}
      onBlur={({ target }) => set(target.value.replaceAll(",", "").trim())}
    />
  );
}

type Names = { partners?: readonly { id: string; name: string }[] };
type Active = { text: string; without: Partial<ListParams> };

/** The filters that hold, in words, each with what takes it away. */
export function activeFilters(params: ListParams, { partners }: Names): Active[] {
  const { view, partner, source, destination, chain, merchant, callbacks, amount_from, amount_to, from, to, mine } = params;
  const candidates: (Active | null | false | undefined)[] = [
    view && { text: VIEW_WORDS[view], without: { view: null } },
    partner !== null && { text: partners?.find(({ id }) => id === partner)?.name ?? "One partner", without: { partner: null } },
    source !== null && { text: `from ${source}`, without: { source: null, amount_from: null, amount_to: null } },
    destination !== null && { text: `to ${destination}`, without: { destination: null } },
    amount_from !== null && { text: `at least ${amount_from} ${source ?? ""}`, without: { amount_from: null } },
    amount_to !== null && { text: `at most ${amount_to} ${source ?? ""}`, without: { amount_to: null } },
    chain !== null && { text: chain, without: { chain: null } },
    merchant !== null && { text: `merchant ${merchant}`, without: { merchant: null } },
    from !== null && { text: `since ${from}`, without: { from: null } },
    to !== null && { text: `until ${to}`, without: { to: null } },
    callbacks && { text: `callback ${CALLBACK_WORDS[callbacks].toLowerCase()}`, without: { callbacks: null } },
    mine && { text: "decided by me", without: { mine: null } },
  ];
  return candidates.filter((each): each is Active => Boolean(each));
}

export function ActiveFilters({ params, set, partners }: { params: ListParams; set: SetParams } & Names) {
  const active = activeFilters(params, partners ? { partners } : {});
  if (active.length === 0) return null;
  return (
    <ul className="chips active-filters" aria-label="Filters">
      {active.map(({ text, without }) => (
        <li key={text}>
          <button
            type="button"
            className="chip"
            aria-label={`Remove the filter ${text}`}
            onClick={() => set({ ...FROM_THE_TOP, ...without })}
          >
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
