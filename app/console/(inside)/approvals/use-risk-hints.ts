"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RiskHintWire } from "#server/contract/console/approval-queue.ts";
import { useTRPC } from "../../_trpc/client.ts";

const AT_ONCE = 25;
type Known = ReadonlyMap<string, readonly RiskHintWire[]>;

/**
 * The hints of what is in sight, by settlement, the first ones first; one that is missing is not known yet. They tell of the moment of
 * creation, so what was read once is kept.
 */
export function useRiskHints(ids: readonly string[]): Known {
  const trpc = useTRPC();
  const [known, setKnown] = useState<Known>(new Map());
  const missing = ids.filter((id) => !known.has(id)).slice(0, AT_ONCE);
  const { data } = useQuery(trpc.approvals.risk.queryOptions({ tx_ids: missing }, { enabled: missing.length > 0, meta: { still: true } }));
  useEffect(() => {
    if (data) setKnown((before) => new Map([...before, ...data.data.map(({ tx_id, hints }) => [tx_id, hints] as const)]));
  }, [data]);
  return known;
}
