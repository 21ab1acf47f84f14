import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requireOperator } from "../../_trpc/session.ts";
import { PartnerList } from "./partner-list.tsx";
import { PARTNERS, pageOf } from "./search-params.ts";

export const metadata: Metadata = { title: "Partners" };

export default async function Partners({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { role } = await requireOperator();
  const params = await PARTNERS.load(searchParams);
  await serverQueries().prefetchQuery(trpc.partners.list.queryOptions(pageOf(params)));
  return (
    <Hydrate>
      <PartnerList mayManage={role === "admin"} />
    </Hydrate>
  );
}
