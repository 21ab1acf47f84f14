import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../../_trpc/server.ts";
import { requireOperator } from "../../../_trpc/session.ts";
import { DeploymentList } from "./deployment-list.tsx";
import { DEPLOYMENTS, pageOf } from "./search-params.ts";

export const metadata: Metadata = { title: "Safe deployments" };

export default async function SafeDeployments({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { role } = await requireOperator();
  const queries = serverQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.safes.list.queryOptions(pageOf(await DEPLOYMENTS.load(searchParams)))),
    queries.prefetchQuery(trpc.settlements.choices.queryOptions()),
  ]);
  return (
    <Hydrate>
      <DeploymentList mayDeploy={role === "admin"} />
    </Hydrate>
  );
}
