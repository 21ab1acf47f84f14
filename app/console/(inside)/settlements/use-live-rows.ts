import { type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import type { Row } from "./columns.tsx";
import { filterOf, type ListParams } from "./search-params.ts";

const SETTLE_MS = 250;
const TINT_MS = 1_500;
/** No event announces attempts at callbacks: rows that wait for one are polled. */
const WAITING_MS = 15_000;

/** Keeps the visible rows up to date in place. No row appears, disappears or moves by itself: the number of new ones is shown instead. */
export function useLiveRows(rows: readonly Row[] | undefined, listKey: QueryKey, params: ListParams, firstCursor: string | null) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTop = params.cursor === null && params.q === null;
  const since = useQuery(
    trpc.settlements.since.queryOptions(
      { ...filterOf(params), cursor: firstCursor },
      { enabled: isTop && rows !== undefined, staleTime: 0 },
    ),
  );
  const ids = rows?.map(({ settlement }) => settlement.tx_id) ?? [];

  const refresh = async () => {
    if (ids.length === 0) return;
    const options = trpc.settlements.rows.queryOptions({ tx_ids: ids }, { staleTime: 0 });
    const fresh = await queries.fetchQuery(options).catch(() => null);
    if (fresh === null) return;
    const byId = new Map(fresh.map((row) => [row.settlement.tx_id, row]));
    queries.setQueryData(listKey, (before: { data: Row[] } | undefined) => {
      if (before === undefined) return before;
      const differing = before.data.filter((row) => {
        const next = byId.get(row.settlement.tx_id);
        return next !== undefined && JSON.stringify(next) !== JSON.stringify(row);
      });
      if (differing.length > 0) setChanged(new Set(differing.map(({ settlement }) => settlement.tx_id)));
      return { ...before, data: before.data.map((row) => byId.get(row.settlement.tx_id) ?? row) };
    });
  };
  const held = useRef(refresh);
  held.current = refresh;

  useLiveChanges(
    ({ action }) => action.startsWith("settlement.") || action.startsWith("callback."),
    (changes) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void held.current(), SETTLE_MS);
      const created = changes.length === 0 || changes.some(({ action }) => action === "settlement.created");
      if (created && isTop) void queries.invalidateQueries({ queryKey: trpc.settlements.since.queryKey() });
      void queries.invalidateQueries({ queryKey: trpc.settlements.tiles.queryKey() });
    },
  );
  const waits = rows?.some(({ callbacks }) => callbacks.pending > 0) ?? false;
  useEffect(() => {
    if (!waits) return;
    const again = setInterval(() => void held.current(), WAITING_MS);
    return () => clearInterval(again);
  }, [waits]);
  useEffect(() => {
    if (changed.size === 0) return;
    const over = setTimeout(() => setChanged(new Set()), TINT_MS);
    return () => clearTimeout(over);
  }, [changed]);
  return { changed, newer: isTop ? (since.data?.count ?? 0) : 0 };
}
