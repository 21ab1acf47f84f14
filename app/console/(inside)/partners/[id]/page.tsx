import type { Metadata } from "next";
import { orNotFound, requireOperator, serverQueries, shown, trpc } from "../../../_trpc/page.ts";
import { translationsOf } from "../../../_words/server.ts";
import { PartnerPage } from "./partner-page.tsx";
import { PAGE } from "./words.ts";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await translationsOf(PAGE);
  return { title: t.title((await params).id.slice(0, 40)) };
}

export default async function Partner({ params }: Props) {
  const { role } = await requireOperator();
  const { id } = await params;
  await orNotFound(serverQueries().fetchQuery(trpc.partners.byId.queryOptions({ partner_id: id })));
  return await shown(<PartnerPage id={id} mayManage={role === "admin"} />);
}
