import type { SearchParams } from "../../_components/lists/address-params.ts";
import { requireOperator, serverQueries, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { ApprovalQueue } from "./approval-queue.tsx";
import { nextBatch } from "./risk-batch.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Approvals({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { role } = await requireOperator();
  const queries = serverQueries();
  const list = trpc.approvals.list.queryOptions();
  await Promise.all([queries.prefetchQuery(list), queries.prefetchQuery(trpc.approvals.counts.queryOptions())]);
  const tx_ids = (queries.getQueryData(list.queryKey)?.data ?? []).map(({ settlement }) => settlement.tx_id);
  const asked = nextBatch(tx_ids);
  const { tx } = await searchParams;
  // What the panel shows first, complete in the first paint.
  const tx_id = tx_ids.find((each) => each === tx) ?? tx_ids[0];
  await Promise.all([
    asked.length > 0 && queries.prefetchQuery(trpc.approvals.risk.queryOptions({ tx_ids: asked })),
    tx_id !== undefined && queries.prefetchQuery(trpc.approvals.past.queryOptions({ tx_id })),
  ]);
  return await shown(<ApprovalQueue mayDecide={role === "admin" || role === "approver"} />);
}
