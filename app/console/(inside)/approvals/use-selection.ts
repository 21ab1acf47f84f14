import { useMemo, useState } from "react";
import { MOST_APPROVED_AT_ONCE } from "#domain/approval.ts";
import type { Awaiting } from "./answers.ts";

export type Selection = {
  /** The selected ones that are still in the list, in its order. */
  rows: readonly Awaiting[];
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  all: () => void;
  /** Returns whether anything was selected. */
  clear: () => boolean;
};

/** The settlements to decide together: at most fifty, and only ones in the list. */
export function useSelection(listed: readonly Awaiting[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => listed.filter(({ settlement }) => ids.has(settlement.tx_id)), [listed, ids]);
  return {
    rows,
    has: (id) => ids.has(id),
    toggle: (id) =>
      setIds((before) => {
        const next = new Set(before);
        if (!next.delete(id) && rows.length < MOST_APPROVED_AT_ONCE) next.add(id);
        return next;
      }),
    all: () => setIds(new Set(listed.slice(0, MOST_APPROVED_AT_ONCE).map(({ settlement }) => settlement.tx_id))),
    clear: () => {
      setIds(new Set());
      return rows.length > 0;
    },
  };
}
