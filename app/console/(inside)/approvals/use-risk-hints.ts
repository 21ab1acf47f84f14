"use client";

import { useQueries } from "@tanstack/react-query";
import type { RiskHintWire } from "#server/contract/console/approval-queue.ts";
import { useTRPC } from "../../_trpc/client.ts";

const AT_ONCE = 25;

/**
 * The hints of what is in sight, by settlement; one that is missing is not known yet. They tell of the moment of creation, so what was
 * read once is kept.
 */
export function useRiskHints(ids: readonly string[]): ReadonlyMap<string, readonly RiskHintWire[]> {
  const trpc = useTRPC();
  const chunks = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, index) => ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
  return useQueries({
    queries: chunks.map((tx_ids) =>
      trpc.approvals.risk.queryOptions({ tx_ids: [...tx_ids] }, { staleTime: 60_000, meta: { still: true } }),
    ),
    combine: (answers) => new Map(answers.flatMap(({ data }) => data?.data ?? []).map(({ tx_id, hints }) => [tx_id, hints])),
  });
}
