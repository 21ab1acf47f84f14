import type { SearchParams } from "../../_components/lists/address-params.ts";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { pageOf, SETTLEMENTS } from "./search-params.ts";
import { SettlementList } from "./settlement-list.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Settlements({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId, role } = await requirePerson();
  const params = SETTLEMENTS.load(await searchParams);
  return await shown(
    <SettlementList isOperator={partnerId === null} mayDecide={role === "admin" || role === "approver"} />,
    params.q
      ? read(trpc.settlements.search.queryOptions({ text: params.q, ...(params.as && { as: params.as }) }))
      : read(trpc.settlements.list.queryOptions(pageOf(params))),
    read(trpc.settlements.tiles.queryOptions()),
    read(trpc.settlements.choices.queryOptions()),
  );
}
