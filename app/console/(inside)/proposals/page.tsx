import type { Metadata } from "next";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requireOperator } from "../../_trpc/session.ts";
import { Proposals } from "./proposals.tsx";

export const metadata: Metadata = { title: "Proposals" };

export default async function ProposalsPage() {
  const { role } = await requireOperator();
  await serverQueries().prefetchQuery(trpc.proposals.list.queryOptions());
  return (
    <Hydrate>
      <Proposals mayDecide={role === "admin"} />
    </Hydrate>
  );
}
