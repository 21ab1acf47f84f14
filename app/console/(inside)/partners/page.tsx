import type { SearchParams } from "../../_components/lists/address-params.ts";
import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { PartnerList } from "./partner-list.tsx";
import { PARTNERS, pageOf } from "./search-params.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Partners({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { role } = await requireOperator();
  const params = PARTNERS.load(await searchParams);
  return await shown(<PartnerList mayManage={role === "admin"} />, read(trpc.partners.list.queryOptions(pageOf(params))));
}
