import type { Metadata } from "next";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requirePerson } from "../../_trpc/session.ts";
import { PartnerPairs } from "./partner-pairs.tsx";
import { RatesScreen } from "./rates-screen.tsx";

export const metadata: Metadata = { title: "Rates & pairs" };

export default async function RatesPage() {
  const { partnerId } = await requirePerson();
  const queries = serverQueries();
  await queries.prefetchQuery(trpc.settlements.choices.queryOptions());
  if (partnerId === null) await queries.prefetchQuery(trpc.rates.terms.queryOptions());
  else await queries.prefetchQuery(trpc.rates.pairs.queryOptions());
  return <Hydrate>{partnerId === null ? <RatesScreen /> : <PartnerPairs />}</Hydrate>;
}
