import type { Metadata } from "next";
import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../_trpc/page.ts";
import { SettlementPage } from "./settlement-page.tsx";

type Props = { params: Promise<{ tx_id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Settlement ${(await params).tx_id.slice(0, 40)}` };
}

export default async function Settlement({ params }: Props) {
  const { role, partnerId } = await requirePerson();
  const { tx_id } = await params;
  await orNotFound(serverQueries().fetchQuery(trpc.settlements.byId.queryOptions({ tx_id })));
  const mayDecide = role === "admin" || role === "approver";
  const rights = { mayDecide, mayRelease: role === "admin", mayResend: mayDecide || role === "owner" };
  return await shown(<SettlementPage txId={tx_id} isOperator={partnerId === null} {...rights} />);
}
