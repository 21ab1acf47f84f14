import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTRPC } from "../../_trpc/client.tsx";
import type { Hint } from "./answers.ts";
import { nextBatch } from "./risk-batch.ts";

type Known = ReadonlyMap<string, readonly Hint[]>;

/**
 * Risk hints of the visible settlements, by settlement, top rows first. A missing one is not loaded yet. Hints describe the moment of
 * creation, so a loaded one never changes.
 */
export function useRiskHints(ids: readonly string[]): Known {
  const trpc = useTRPC();
  const [kept, setKept] = useState<Known>(new Map());
  const missing = nextBatch(ids, kept);
  const { data } = useQuery(trpc.approvals.risk.queryOptions({ tx_ids: missing }, { enabled: missing.length > 0, meta: { still: true } }));
  useEffect(() => {
    if (data) setKept((before) => withAnswer(before, data.data));
  }, [data]);
  // The server's hints are in the first paint. Otherwise rows would grow later and shift those below.
  return useMemo(() => withAnswer(kept, data?.data ?? []), [kept, data]);
}

function withAnswer(kept: Known, answer: readonly { tx_id: string; hints: readonly Hint[] }[]): Known {
  return new Map([...kept, ...answer.map(({ tx_id, hints }) => [tx_id, hints] as const)]);
}
