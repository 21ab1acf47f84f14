import type { SearchParams } from "../../_components/lists/address-params.ts";
import { read, requestContext, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { FiatPage } from "./fiat-page.tsx";
import { ORDERS, pageOf } from "./search-params.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Fiat({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ partnerId, role }, { settings }, params] = await Promise.all([
    requirePerson(),
    requestContext(),
    searchParams.then(ORDERS.load),
  ]);
  return await shown(
    <FiatPage isOperator={partnerId === null} mayMove={role === "owner"} mayFund={role === "admin"} playMoney={settings.playMoney} />,
    params.tab === "withdrawals" ? read(trpc.fiat.withdrawals.queryOptions(pageOf(params))) : null,
    params.tab === "topups" ? read(trpc.fiat.topups.queryOptions(pageOf(params))) : null,
    params.tab === null || params.tab === "pool" ? read(trpc.fiat.pools.queryOptions()) : null,
    read(trpc.settlements.choices.queryOptions()),
  );
}
