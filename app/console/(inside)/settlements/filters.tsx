"use client";

import { useQuery } from "@tanstack/react-query";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS } from "#domain/settlement-view.ts";
import { TextField } from "../../_components/controls/field.tsx";
import { VIEW_WORDS } from "../../_components/controls/status-badge.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { chainChoices, FilterSelect, FilterText, named, plain, worded } from "../../_components/lists/filter-fields.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { APPROVAL_WORDS, activeFilters, CALLBACK_WORDS } from "./filter-words.ts";
import { FROM_THE_TOP, type ListParams, NO_FILTER, type SetParams } from "./search-params.ts";

type FiltersProps = { params: ListParams; set: SetParams; isOperator: boolean };

/** Amounts mean nothing without their currency. */
const NO_SOURCE = { source: null, amount_from: null, amount_to: null };

/** All that a list can be narrowed by, out of the way until it is wanted. */
export function Filters({ params, set, isOperator }: FiltersProps) {
  const count = activeFilters(params, {}).length;
  const apply: SetParams = (next) => set({ ...FROM_THE_TOP, ...next });
  return (
    <FilterDrawer title="Filter settlements" show="Show settlements" none={NO_FILTER} onApply={apply} {...{ params, count }}>
      {(draft, change) => (
        <>
          <StateFields params={draft} set={change} isOperator={isOperator} />
          <OriginFields params={draft} set={change} isOperator={isOperator} />
          <TimeFields params={draft} set={change} isOperator={isOperator} />
        </>
      )}
    </FilterDrawer>
  );
}

export function ActiveFilters({ params, set, partners }: Omit<FiltersProps, "isOperator"> & Parameters<typeof activeFilters>[1]) {
  const held = activeFilters(params, partners ? { partners } : {});
  const shown = held.map(({ text, without }) => ({ text, remove: () => set({ ...FROM_THE_TOP, ...without }) }));
  return <FilterChips held={shown} onClear={() => set(NO_FILTER)} />;
}

function StateFields({ params, set, isOperator }: FiltersProps) {
  return (
    <>
      <div className="field-row">
        <FilterSelect label="State" value={params.view} choices={worded(SETTLEMENT_VIEWS, VIEW_WORDS)} onChoose={(view) => set({ view })} />
        <FilterSelect
          label="Approval"
          value={params.approval}
          choices={worded(APPROVAL_CHOICES, APPROVAL_WORDS)}
          onChoose={(approval) => set({ approval })}
        />
      </div>
      <Check
        label="With a lapsed quote, also while approval is awaited"
        on={params.lapsed !== null}
        set={(on) => set({ lapsed: on ? "yes" : null })}
      />
      <Check label="Failed today (UTC)" on={params.failed !== null} set={(on) => set({ failed: on ? "today" : null })} />
      {isOperator && <Check label="Decided by me" on={params.mine !== null} set={(on) => set({ mine: on ? "decided" : null })} />}
      <div className="field-row">
        <TextField
          label="Processing for minutes, or more"
          type="number"
          min={1}
          value={params.processing ?? ""}
          onChange={({ target }) => set({ processing: target.value === "" ? null : Number.parseInt(target.value, 10) })}
        />
        <FilterSelect
          label="Callbacks"
          value={params.callbacks}
          choices={worded(CALLBACK_STATES, CALLBACK_WORDS)}
          onChoose={(callbacks) => set({ callbacks })}
        />
      </div>
      <FilterText label="Failure reason" hint="A part of it" value={params.failure} onChange={(failure) => set({ failure })} />
    </>
  );
}

function OriginFields({ params, set, isOperator }: FiltersProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  return (
    <>
      {isOperator && (
        <FilterSelect label="Partner" value={params.partner} choices={named(data?.partners)} onChoose={(partner) => set({ partner })} />
      )}
      <div className="field-row">
        <FilterSelect
          label="Source currency"
          value={params.source}
          choices={plain(data?.source_currencies)}
          onChoose={(source) => set(source === null ? NO_SOURCE : { source })}
        />
        <FilterSelect
          label="Destination currency"
          value={params.destination}
          choices={plain(data?.destination_currencies)}
          onChoose={(destination) => set({ destination })}
        />
      </div>
      <div className="field-row">
        <Amount label="Source amount from" value={params.amount_from} on={(amount_from) => set({ amount_from })} currency={params.source} />
        <Amount label="to" value={params.amount_to} on={(amount_to) => set({ amount_to })} currency={params.source} />
      </div>
      <FilterSelect label="Chain" value={params.chain} choices={chainChoices(data?.chains)} onChoose={(chain) => set({ chain })} />
      <FilterText label="Merchant" hint="The whole reference" value={params.merchant} onChange={(merchant) => set({ merchant })} />
    </>
  );
}

function TimeFields({ params, set }: FiltersProps) {
  const day = (label: string, name: "from" | "to" | "executed_from" | "executed_to") => (
    <FilterText label={label} type="date" value={params[name]} onChange={(text) => set({ [name]: text })} />
  );
  return (
    <>
      <div className="field-row">
        {day("Created from (UTC)", "from")}
        {day("to, included", "to")}
      </div>
      <div className="field-row">
        {day("Executed from (UTC)", "executed_from")}
        {day("until, included", "executed_to")}
      </div>
    </>
  );
}

function Check({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={on} onChange={({ target }) => set(target.checked)} />
      {label}
    </label>
  );
}

type AmountProps = { label: string; value: string | null; on: (value: string | null) => void; currency: string | null };

/** Groups of digits may be set apart by commas or blanks; they are not kept. */
function Amount({ label, value, on, currency }: AmountProps) {
  return (
    <FilterText
      label={label}
      inputMode="decimal"
      pattern="\d{1,16}(\.\d{1,4})?"
      title="An amount such as 1,000.00"
      disabled={currency === null}
      hint={currency ?? "Choose a source currency first"}
      value={value}
      onChange={(text) => on(text?.replaceAll(/[,\s]/g, "") || null)}
    />
  );
}
