import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requirePerson } from "../../_trpc/session.ts";
import { pageOf, SETTLEMENTS } from "./search-params.ts";
import { SettlementList } from "./settlement-list.tsx";

export const metadata: Metadata = { title: "Settlements" };

export default async function Settlements({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId } = await requirePerson();
  const params = await SETTLEMENTS.load(searchParams);
  const queries = serverQueries();
  await Promise.all([
    params.q
      ? queries.prefetchQuery(trpc.settlements.search.queryOptions({ text: params.q, ...(params.as && { as: params.as }) }))
      : queries.prefetchQuery(trpc.settlements.list.queryOptions(pageOf(params))),
    queries.prefetchQuery(trpc.settlements.tiles.queryOptions()),
    queries.prefetchQuery(trpc.settlements.choices.queryOptions()),
  ]);
  return (
    <Hydrate>
      <SettlementList isOperator={partnerId === null} />
    </Hydrate>
  );
}
