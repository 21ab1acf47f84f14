import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requestContext, requirePerson } from "../../_trpc/session.ts";
import { FiatPage } from "./fiat-page.tsx";
import { ORDERS, pageOf } from "./search-params.ts";

export const metadata: Metadata = { title: "Fiat" };

export default async function Fiat({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ partnerId, role }, { settings }, params] = await Promise.all([requirePerson(), requestContext(), ORDERS.load(searchParams)]);
  const queries = serverQueries();
  await Promise.all([
    params.tab === "withdrawals" ? queries.prefetchQuery(trpc.fiat.withdrawals.queryOptions(pageOf(params))) : null,
    params.tab === "topups" ? queries.prefetchQuery(trpc.fiat.topups.queryOptions(pageOf(params))) : null,
    params.tab === null || params.tab === "pool" ? queries.prefetchQuery(trpc.fiat.pools.queryOptions()) : null,
    queries.prefetchQuery(trpc.settlements.choices.queryOptions()),
  ]);
  return (
    <Hydrate>
      <FiatPage isOperator={partnerId === null} mayMove={role === "owner"} mayFund={role === "admin" && settings.mode === "sandbox"} />
    </Hydrate>
  );
}
