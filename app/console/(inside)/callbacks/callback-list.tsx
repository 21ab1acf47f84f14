"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { usePage } from "../../_components/dialogs/use-answer.ts";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { Earlier, Empty, NoMatch, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { Pagination } from "../../_components/lists/pagination.tsx";
import { Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import type { CallbackRow } from "./answers.ts";
import { CallbackCardLines, callbackColumns, type Picked } from "./callback-columns.tsx";
import { heldOf } from "./callback-filters.tsx";
import { counted, type Selection } from "./resend-dialog.tsx";
import { type CallbackParams, NO_FILTER, pageOf, type SetParams } from "./search-params.ts";

type Props = {
  params: CallbackParams;
  set: SetParams;
  isOperator: boolean;
  /** How many have failed and are still tried; null: not known yet. */
  retrying: number | null;
  onResend: ((selection: Selection) => void) | null;
};

/** While something may be attempted it is looked at often, else now and then. */
const MOVING_MS = 2_000;
const LOOK_MS = 10_000;

/** Callbacks one below the other, newest first. */
export function CallbackList({ params, set, isOperator, retrying, onResend }: Props) {
  const trpc = useTRPC();
  const page = pageOf(params);
  const list = usePage(
    useQuery({
      ...trpc.callbacks.list.queryOptions(page, { placeholderData: keepPreviousData }),
      refetchInterval: ({ state }) => (state.data?.data.some(({ state: each }) => each === "pending") ? MOVING_MS : LOOK_MS),
    }),
  );
  if (list.isPending) return <Skeleton />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  const { data, older_cursor, newer_cursor } = list.data;
  return (
    <Earlier of={list}>
      {list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      {data.length === 0 ? (
        <NothingListed params={params} set={set} retrying={retrying} />
      ) : (
        <Rows
          rows={data}
          isOperator={isOperator}
          onResend={onResend}
          footer={
            <Pagination
              hasNewer={newer_cursor !== null}
              hasOlder={older_cursor !== null}
              onNewer={() => set({ cursor: newer_cursor, direction: "newer" })}
              onOlder={() => set({ cursor: older_cursor, direction: null })}
              limit={page.limit}
              onLimit={(limit) => set({ limit, cursor: null, direction: null })}
            />
          }
        />
      )}
    </Earlier>
  );
}

const NOTHING = {
  undelivered: "Nothing is undelivered",
  retrying: "Nothing is on its way",
  all: "No callbacks yet",
  endpoints: "",
} as const;

function NothingListed({ params, set, retrying }: Pick<Props, "params" | "set" | "retrying">) {
  const held = heldOf(params, {});
  if (held.length > 0) return <NoMatch onClear={() => set(NO_FILTER)}>Nothing is {held.map(({ text }) => text).join(", ")}.</NoMatch>;
  return (
    <Empty title={NOTHING[params.tab]}>
      <p>
        {params.tab === "all"
          ? "The first is sent when a settlement with a callback address is approved or ends."
          : retrying === 0
            ? "Every callback was taken."
            : retrying !== null &&
              `${counted(retrying)} ${retrying === 1 ? "has" : "have"} failed and ${retrying === 1 ? "is" : "are"} still retried.`}
      </p>
      {params.tab === "all" && <LinkButton href="/docs/callbacks">Read how</LinkButton>}
    </Empty>
  );
}

type RowsProps = {
  rows: readonly CallbackRow[];
  isOperator: boolean;
  onResend: ((selection: Selection) => void) | null;
  footer: React.ReactNode;
};

/** J and K walk the rows, Enter opens the marked one, X picks it. */
function Rows({ rows, isOperator, onResend, footer }: RowsProps) {
  const router = useRouter();
  const [active, setActive] = useState(-1);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const resendable = rows.filter(({ state }) => state === "undelivered");
  const picked = resendable.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  const toggle = (id: string) =>
    setIds((before) => (before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id])));
  const pick: Picked | null = onResend && { ids, toggle };
  const move = (step: number) => setActive((before) => Math.min(rows.length - 1, Math.max(0, before + step)));
  const marked = rows[active];
  useShortcut("j", "Next row", () => move(1));
  useShortcut("k", "Row before", () => move(-1));
  useShortcut("Enter", "Open the marked row", () => marked && router.push(`/console/callbacks/${marked.id}`), marked !== undefined);
  useShortcut("x", "Pick the marked row", () => marked && toggle(marked.id), pick !== null && marked?.state === "undelivered");
  useEffect(() => {
    document.querySelector("tr[data-active]")?.scrollIntoView({ block: "nearest" });
  });
  return (
    <>
      {onResend && picked.length > 0 && (
        <div className="picked" role="status">
          <span>{picked.length === 1 ? "1 picked" : `${picked.length} picked`}</span>
          <Button icon={RotateCw} onClick={() => onResend({ callback_ids: picked })}>
            Resend
          </Button>
          <Button look="quiet" onClick={() => setIds(new Set())}>
            Clear
          </Button>
        </div>
      )}
      <Table
        caption="Callbacks, newest first"
        columns={callbackColumns(isOperator, resendable.length > 0 ? pick : null)}
        rows={rows}
        keyOf={({ id }) => id}
        card={(row) => <CallbackCardLines row={row} isOperator={isOperator} />}
        rowProps={(_row, index) => ({ "data-active": index === active || undefined })}
        footer={footer}
      />
    </>
  );
}
