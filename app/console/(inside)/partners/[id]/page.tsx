import type { Metadata } from "next";
import { Hydrate } from "../../../_trpc/hydrate.tsx";
import { orNotFound, serverQueries, trpc } from "../../../_trpc/server.ts";
import { requireOperator } from "../../../_trpc/session.ts";
import { PartnerPage } from "./partner-page.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Partner ${(await params).id.slice(0, 40)}` };
}

export default async function Partner({ params }: Props) {
  const { role } = await requireOperator();
  const { id } = await params;
  await orNotFound(serverQueries().fetchQuery(trpc.partners.byId.queryOptions({ partner_id: id })));
  return (
    <Hydrate>
      <PartnerPage id={id} mayManage={role === "admin"} />
    </Hydrate>
  );
}
