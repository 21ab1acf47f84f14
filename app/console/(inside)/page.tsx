import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../_trpc/server.ts";
import { requirePerson } from "../_trpc/session.ts";
import { Overview } from "./overview/overview.tsx";
import { askedOf, loadOverviewParams, lookOf } from "./overview/search-params.ts";

export const metadata: Metadata = { title: "Overview" };

/** Where one begins. */
export default async function OverviewPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId } = await requirePerson();
  const look = lookOf(await loadOverviewParams(searchParams));
  const queries = serverQueries();
  // A long range may take its time: its plots are asked for by the browser, and the page does not wait for them.
  const isShort = look === "1h" || look === "24h";
  await Promise.all([
    queries.prefetchQuery(trpc.overview.now.queryOptions()),
    partnerId === null ? undefined : queries.prefetchQuery(trpc.overview.newest.queryOptions()),
    isShort ? queries.prefetchQuery(trpc.overview.figures.queryOptions(askedOf(look))) : undefined,
    isShort ? queries.prefetchQuery(trpc.overview.series.queryOptions(askedOf(look))) : undefined,
  ]);
  return (
    <Hydrate>
      <Overview isOperator={partnerId === null} />
    </Hydrate>
  );
}
