import type { Metadata } from "next";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requireOperator } from "../../_trpc/session.ts";
import { ApprovalQueue } from "./approval-queue.tsx";

export const metadata: Metadata = { title: "Approvals" };

export default async function Approvals() {
  const { role } = await requireOperator();
  await Promise.all([
    serverQueries().prefetchQuery(trpc.approvals.list.queryOptions()),
    serverQueries().prefetchQuery(trpc.approvals.counts.queryOptions()),
  ]);
  return (
    <Hydrate>
      <ApprovalQueue mayDecide={role === "admin" || role === "approver"} />
    </Hydrate>
  );
}
