import { requireOperator, serverQueries, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { ApprovalQueue } from "./approval-queue.tsx";
import { nextBatch } from "./risk-batch.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Approvals() {
  const { role } = await requireOperator();
  const queries = serverQueries();
  const list = trpc.approvals.list.queryOptions();
  await Promise.all([queries.prefetchQuery(list), queries.prefetchQuery(trpc.approvals.counts.queryOptions())]);
  const tx_ids = nextBatch((queries.getQueryData(list.queryKey)?.data ?? []).map(({ settlement }) => settlement.tx_id));
  if (tx_ids.length > 0) await queries.prefetchQuery(trpc.approvals.risk.queryOptions({ tx_ids }));
  return await shown(<ApprovalQueue mayDecide={role === "admin" || role === "approver"} />);
}
