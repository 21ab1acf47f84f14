import { useEffect, useRef, useState } from "react";
import type { Awaiting } from "./answers.ts";

/** How long a row that somebody else decided stays visible. */
const FAREWELL_MS = 6_000;

/**
 * A row that somebody else decided stays for a moment, so that it does not vanish unexplained. The user's own decisions disappear at once.
 */
export function useLingering(fresh: readonly Awaiting[] | undefined) {
  const [rows, setRows] = useState<readonly Awaiting[]>(fresh ?? []);
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const own = useRef(new Set<string>());
  useEffect(() => {
    if (fresh === undefined) return;
    setRows((before) => {
      const present = new Set(fresh.map(({ settlement }) => settlement.tx_id));
      const gone = before.filter(({ settlement }) => !present.has(settlement.tx_id) && !own.current.has(settlement.tx_id));
      setLeaving(new Set(gone.map(({ settlement }) => settlement.tx_id)));
      return [...fresh.filter(({ settlement }) => !own.current.has(settlement.tx_id)), ...gone].sort((left, right) =>
        left.settlement.created_at < right.settlement.created_at ? -1 : 1,
      );
    });
  }, [fresh]);
  useEffect(() => {
    if (leaving.size === 0) return;
    const over = setTimeout(() => {
      setRows((before) => before.filter(({ settlement }) => !leaving.has(settlement.tx_id)));
      setLeaving(new Set());
    }, FAREWELL_MS);
    return () => clearTimeout(over);
  }, [leaving]);
  const forget = (id: string) => {
    own.current.add(id);
    setRows((before) => before.filter(({ settlement }) => settlement.tx_id !== id));
  };
  return { rows, leaving, forget };
}
