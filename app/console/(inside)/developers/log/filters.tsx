"use client";

import { useQuery } from "@tanstack/react-query";
import { LOG_RANGES, STATUS_CLASSES } from "#domain/api-request.ts";
import { Select } from "../../../_components/controls/field.tsx";
import { useZone } from "../../../_components/controls/time.tsx";
import { FilterChips, FilterDrawer } from "../../../_components/lists/filter-drawer.tsx";
import { FilterSelect, FilterText, named, worded } from "../../../_components/lists/filter-fields.tsx";
import { absolute } from "../../../_format/time.ts";
import { useTRPC } from "../../../_trpc/client.ts";
import { FROM_THE_TOP, type LogParams, NO_FILTER, type SetLogParams } from "./search-params.ts";

const RANGE_WORDS = { "1h": "Last hour", "24h": "Last 24 hours", "7d": "Last 7 days", "30d": "Last 30 days" };
const CLASS_WORDS = { "2xx": "2xx, answered", "4xx": "4xx, refused", "5xx": "5xx, failed" };

type FiltersProps = { params: LogParams; set: SetLogParams; isOperator: boolean };

/** The range in sight, the class of status one tap away, all else in a drawer. */
export function LogFilters({ params, set, isOperator }: FiltersProps) {
  const apply: SetLogParams = (next) => set({ ...FROM_THE_TOP, ...next });
  const count = activeLogFilters(params, undefined).length;
  const range = params.from === null ? (params.range ?? "24h") : "";
  return (
    <>
      <Select
        label="Time"
        hideLabel
        value={range}
        choices={[...(range === "" ? [{ value: "", label: "A span of time" }] : []), ...worded(LOG_RANGES, RANGE_WORDS)]}
        onChange={({ target }) => apply({ from: null, to: null, range: LOG_RANGES.find((each) => each === target.value) ?? null })}
      />
      <FilterDrawer title="Filter requests" show="Show requests" none={NO_FILTER} onApply={apply} {...{ params, count }}>
        {(draft, change) => <FilterFields params={draft} set={change} isOperator={isOperator} />}
      </FilterDrawer>
    </>
  );
}

function FilterFields({ params, set, isOperator }: FiltersProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.apiLog.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const text = (label: string, name: "code" | "path" | "request" | "settlement", hint?: string) => (
    <FilterText label={label} {...(hint && { hint })} value={params[name]} onChange={(typed) => set({ [name]: typed })} />
  );
  return (
    <>
      <FilterSelect
        label="Status"
        value={params.status}
        choices={worded(STATUS_CLASSES, CLASS_WORDS)}
        onChoose={(status) => set({ status })}
      />
      {text("Error code", "code", "Such as signature_mismatch")}
      {text("Path begins with", "path", "Such as /api/v1/settlements")}
      {isOperator ? (
        <FilterSelect label="Partner" value={params.partner} choices={named(data?.partners)} onChoose={(partner) => set({ partner })} />
      ) : (
        <FilterSelect
          label="Key"
          value={params.key}
          choices={(data?.keys ?? []).map(({ id, name, last_four }) => ({ value: id, label: `${name} (…${last_four})` }))}
          onChoose={(key) => set({ key })}
        />
      )}
      {text("Request id", "request", "What every answer carries as X-Request-Id; looked for in all that is kept")}
      {text("Settlement", "settlement")}
    </>
  );
}

type Names = { keys: readonly { id: string; name: string }[]; partners: readonly { id: string; name: string }[] };
type Active = { text: string; without: Partial<LogParams> };

/** The filters that hold, in words, each with what takes it away. */
export function activeLogFilters(params: LogParams, names: Names | undefined, span?: string): Active[] {
  const { status, code, path, key, request, settlement, partner, from } = params;
  const candidates: (Active | null | false)[] = [
    status !== null && { text: status, without: { status: null } },
    code !== null && { text: code, without: { code: null } },
    path !== null && { text: `under ${path}`, without: { path: null } },
    key !== null && { text: `with ${names?.keys.find(({ id }) => id === key)?.name ?? "one key"}`, without: { key: null } },
    partner !== null && {
      text: `by ${names?.partners.find(({ id }) => id === partner)?.name ?? "one partner"}`,
      without: { partner: null },
    },
    request !== null && { text: `request ${request}`, without: { request: null } },
    settlement !== null && { text: `about ${settlement}`, without: { settlement: null } },
    from !== null && { text: span ?? "in that span of time", without: { from: null, to: null } },
  ];
  return candidates.filter((each): each is Active => Boolean(each));
}

export function ActiveLogFilters({ params, set, names }: { params: LogParams; set: SetLogParams; names?: Names }) {
  const zone = useZone();
  const { from, to } = params;
  const isSpan = from !== null && to !== null && !Number.isNaN(Date.parse(from)) && !Number.isNaN(Date.parse(to));
  const span = isSpan ? `${absolute(from, zone)} to ${absolute(to, zone)}` : undefined;
  const active = activeLogFilters(params, names, span);
  const held = active.map(({ text, without }) => ({ text, remove: () => set({ ...FROM_THE_TOP, ...without }) }));
  return <FilterChips held={held} onClear={() => set(NO_FILTER)} />;
}
