import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../../_trpc/server.ts";
import { requirePerson } from "../../../_trpc/session.ts";
import { ApiLog } from "./api-log.tsx";
import { API_LOG, filterOf, pageOf } from "./search-params.ts";

export const metadata: Metadata = { title: "API log" };

export default async function Log({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId } = await requirePerson();
  const params = await API_LOG.load(searchParams);
  const queries = serverQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.apiLog.list.queryOptions(pageOf(params))),
    queries.prefetchQuery(trpc.apiLog.summary.queryOptions(filterOf(params))),
    queries.prefetchQuery(trpc.apiLog.choices.queryOptions()),
  ]);
  return (
    <Hydrate>
      <ApiLog isOperator={partnerId === null} />
    </Hydrate>
  );
}
