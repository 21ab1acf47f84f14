"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { SearchField } from "../../_components/controls/search-field.tsx";
import type { Answer } from "../../_components/dialogs/use-answer.ts";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { FilterChips, FilterDrawer, type HeldFilter } from "../../_components/lists/filter-drawer.tsx";
import { FilterSelect, FilterText, named, plain, worded } from "../../_components/lists/filter-fields.tsx";
import { Earlier, Empty, NoMatch, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { Pagination } from "../../_components/lists/pagination.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { FIAT_STATUSES, type FiatParams, FROM_THE_TOP, NO_FILTER, pageOf, type SetParams } from "./search-params.ts";

const STATUS_WORDS = { pending: "Pending", processing: "Processing", completed: "Completed", failed: "Failed" };

type BarProps = { params: FiatParams; set: SetParams; isOperator: boolean; action: ReactNode; words: Words };
/** The kind of order, as sentences need it. */
export type Words = { one: string; many: string; caption: string };

/** Search, filters and what to add, above a list of orders. */
export function OrderBar({ params, set, isOperator, action, words }: BarProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const choose = (next: Partial<FiatParams>) => set({ ...FROM_THE_TOP, ...next });
  const held = heldFilters(params, choose, data?.partners ?? []);
  const clear = () => set(NO_FILTER);
  return (
    <>
      <div className="list-bar">
        <SearchField
          label={`Search ${words.many} by id, reference or hash`}
          placeholder="Id, reference or hash"
          text={params.q ?? ""}
          onSearch={(q) => choose({ q })}
        />
        <FilterDrawer
          title={`Filter ${words.many}`}
          show={`Show ${words.many}`}
          count={held.length}
          params={params}
          none={NO_FILTER}
          onApply={choose}
        >
          {(draft, change) => (
            <>
              <FilterSelect
                label="Status"
                value={draft.status}
                choices={worded(FIAT_STATUSES, STATUS_WORDS)}
                onChoose={(status) => change({ status })}
              />
              {isOperator && (
                <FilterSelect
                  label="Partner"
                  value={draft.partner}
                  choices={named(data?.partners)}
                  onChoose={(partner) => change({ partner })}
                />
              )}
              <FilterSelect
                label="Currency"
                value={draft.currency}
                choices={plain(data?.source_currencies)}
                onChoose={(currency) => change({ currency })}
              />
              <div className="field-row">
                <FilterText label="Created from (UTC)" type="date" value={draft.from} onChange={(from) => change({ from })} />
                <FilterText label="to, included" type="date" value={draft.to} onChange={(to) => change({ to })} />
              </div>
            </>
          )}
        </FilterDrawer>
        <a className="button" href={exportHref(params)} download>
          <Download aria-hidden size={16} />
          Export
        </a>
        {action}
      </div>
      <FilterChips held={held} onClear={clear} />
    </>
  );
}

/** What the list shows, all pages of it, as a CSV file. */
function exportHref(params: FiatParams): string {
  const { limit: _limit, cursor: _cursor, direction: _direction, ...filter } = { cursor: undefined, ...pageOf(params) };
  const asked = { kind: params.tab === "topups" ? "topups" : "withdrawals", filter };
  return `/console/fiat/export?${new URLSearchParams({ input: JSON.stringify(asked) })}`;
}

type Partners = readonly { id: string; name: string }[];

function heldFilters(params: FiatParams, choose: SetParams, partners: Partners): HeldFilter[] {
  const { q, partner, status, currency, of, from, to } = params;
  const held: (HeldFilter | null)[] = [
    q === null ? null : { text: `is ${q}`, remove: () => choose({ q: null }) },
    partner === null
      ? null
      : { text: partners.find(({ id }) => id === partner)?.name ?? "One partner", remove: () => choose({ partner: null }) },
    status === null ? null : { text: STATUS_WORDS[status], remove: () => choose({ status: null }) },
    currency === null ? null : { text: currency, remove: () => choose({ currency: null }) },
    of === null ? null : { text: "one member's", remove: () => choose({ of: null }) },
    from === null ? null : { text: `since ${from}`, remove: () => choose({ from: null }) },
    to === null ? null : { text: `until ${to}`, remove: () => choose({ to: null }) },
  ];
  return held.filter((each) => each !== null);
}

type Listing<Row> = { data: Row[]; older_cursor: string | null; newer_cursor: string | null };
type RowsProps<Row> = {
  list: Answer<Listing<Row>>;
  newer: number;
  params: FiatParams;
  set: SetParams;
  limit: number;
  words: Words;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  hrefOf: (row: Row) => string;
  card: (row: Row) => ReactNode;
};

/** A list of orders in its four states; new ones are told, and come when asked for. */
export function OrderRows<Row>({ list, newer, params, set, limit, words, columns, idOf, hrefOf, card }: RowsProps<Row>) {
  if (list.isPending) return <Skeleton />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  const { data, older_cursor, newer_cursor } = list.data;
  const toTop = () => (params.cursor === null ? void list.refetch() : set(FROM_THE_TOP));
  return (
    <Earlier of={list}>
      {list.error !== null && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      <div className="new-rows" role="status">
        {newer > 0 && (
          <Button look="primary" onClick={toTop}>
            {newer} new {newer === 1 ? words.one : words.many}
          </Button>
        )}
      </div>
      {data.length === 0 ? (
        <Nothing params={params} set={set} words={words} />
      ) : (
        <Walked rows={data} {...{ columns, idOf, hrefOf, card, words }}>
          <Pagination
            hasNewer={newer_cursor !== null}
            hasOlder={older_cursor !== null}
            onNewer={() => set({ cursor: newer_cursor, direction: "newer" })}
            onOlder={() => set({ cursor: older_cursor, direction: null })}
            limit={limit}
            onLimit={(next) => set({ limit: next, ...FROM_THE_TOP })}
          />
        </Walked>
      )}
    </Earlier>
  );
}

type WalkedProps<Row> = Pick<RowsProps<Row>, "columns" | "idOf" | "hrefOf" | "card" | "words"> & {
  rows: readonly Row[];
  children: ReactNode;
};

/** J and K walk the rows, Enter opens the one that is marked. */
function Walked<Row>({ rows, columns, idOf, hrefOf, card, words, children }: WalkedProps<Row>) {
  const router = useRouter();
  const [active, setActive] = useState(-1);
  const marked = rows[active];
  const move = (step: number) => setActive((before) => Math.min(rows.length - 1, Math.max(0, before + step)));
  useShortcut("j", "Next row", () => move(1));
  useShortcut("k", "Row before", () => move(-1));
  useShortcut("Enter", "Open the marked row", () => marked !== undefined && router.push(hrefOf(marked)), marked !== undefined);
  return (
    <Table
      caption={words.caption}
      columns={columns}
      rows={rows}
      keyOf={idOf}
      card={card}
      rowProps={(_, index) => ({ "data-active": index === active || undefined })}
      footer={children}
    />
  );
}

function Nothing({ params, set, words }: { params: FiatParams; set: SetParams; words: Words }) {
  const { q, partner, status, currency, of, from, to } = params;
  const isFiltered = [q, partner, status, currency, of, from, to].some((each) => each !== null);
  if (isFiltered) return <NoMatch onClear={() => set(NO_FILTER)}>No {words.one} fits what is asked for above.</NoMatch>;
  return (
    <Empty title={`No ${words.many} yet`}>
      <p>They are asked for through the API, or here by a partner's owner.</p>
      <LinkButton href="/docs/partner-management">Read how</LinkButton>
    </Empty>
  );
}
