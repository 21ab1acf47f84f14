import type { Metadata } from "next";
import type { SearchParams } from "../../../_components/lists/address-params.ts";
import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../_trpc/page.ts";
import { translationsOf } from "../../../_words/server.ts";
import { filterOf, SETTLEMENTS } from "../search-params.ts";
import { SettlementPage } from "./settlement-page.tsx";
import { PAGE } from "./words.ts";

type Props = { params: Promise<{ tx_id: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await translationsOf(PAGE)).title((await params).tx_id.slice(0, 40)) };
}

export default async function Settlement({ params, searchParams }: Props) {
  const { role, partnerId } = await requirePerson();
  const [{ tx_id }, { list }] = await Promise.all([params, searchParams]);
  await orNotFound(serverQueries().fetchQuery(trpc.settlements.byId.queryOptions({ tx_id })));
  const mayDecide = role === "admin" || role === "approver";
  const rights = { mayDecide, mayRelease: role === "admin", mayResend: mayDecide || role === "owner" };
  const within = typeof list === "string" ? { list, filter: filterOf(SETTLEMENTS.load(new URLSearchParams(list))) } : null;
  return await shown(<SettlementPage txId={tx_id} isOperator={partnerId === null} within={within} {...rights} />);
}
