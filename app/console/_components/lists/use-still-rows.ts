import { keepPreviousData, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLiveChanges } from "../../_trpc/client.tsx";

type Page<Row> = { data: Row[] };
type StillRows<Row> = {
  queryKey: QueryKey;
  rows: readonly Row[] | undefined;
  /** Refetches the page, bypassing the cache. */
  read: () => Promise<Page<Row>>;
  idOf: (row: Row) => string;
  /** The audit log's event for a new row, such as `member.created`. */
  createdAction: string;
  /** Rows that change without an entry of the audit log. */
  isMoving: (row: Row) => boolean;
};

/** For the query of such a list: it is only repeated on request. While another page loads, the previous one stays. */
export const WALKED_STILL = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  meta: { still: true },
  placeholderData: keepPreviousData,
} as const;

const SETTLE_MS = 250;
const MOVING_MS = 2_000;

/** Keeps the visible rows up to date in place: no row appears, disappears or moves by itself. The number of new ones is shown instead. */
export function useStillRows<Row>({ queryKey, rows, read, idOf, createdAction, isMoving }: StillRows<Row>): { newer: number } {
  const queries = useQueryClient();
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState(0);
  const held = useRef({ read, idOf, queryKey });
  held.current = { read, idOf, queryKey };
  const shown = new Set(rows?.map(idOf));
  const moving = rows?.some(isMoving) ?? false;
  useLiveChanges(
    ({ action, object_id }) => action === createdAction || shown.has(object_id),
    (changes) => {
      const created = changes.filter(({ action, object_id }) => action === createdAction && !shown.has(object_id));
      if (created.length > 0) setFresh((before) => new Set([...before, ...created.map(({ object_id }) => object_id)]));
      if (created.length < changes.length || changes.length === 0) setWanted((before) => before + 1);
    },
  );
  useEffect(() => {
    if (wanted === 0 && !moving) return;
    const refresh = async () => {
      const { queryKey: key, read: ask, idOf: nameOf } = held.current;
      const page = await ask().catch(() => null);
      if (page === null) return;
      const now = new Map(page.data.map((row) => [nameOf(row), row]));
      queries.setQueryData<Page<Row>>(
        key,
        (before) => before && { ...before, data: before.data.map((row) => now.get(nameOf(row)) ?? row) },
      );
    };
    const once = setTimeout(() => void refresh(), SETTLE_MS);
    const again = moving ? setInterval(() => void refresh(), MOVING_MS) : undefined;
    return () => {
      clearTimeout(once);
      clearInterval(again);
    };
  }, [wanted, moving, queries]);
  return { newer: [...fresh].filter((id) => !shown.has(id)).length };
}
