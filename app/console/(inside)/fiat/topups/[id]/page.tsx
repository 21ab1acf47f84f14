import type { Metadata } from "next";
import { Hydrate } from "../../../../_trpc/hydrate.tsx";
import { orNotFound, serverQueries, trpc } from "../../../../_trpc/server.ts";
import { requirePerson } from "../../../../_trpc/session.ts";
import { mayResend } from "../../../callbacks/may-resend.ts";
import { TopupPage } from "./topup-page.tsx";

export const metadata: Metadata = { title: "Top-up" };

export default async function Topup({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }, { partnerId, role }] = await Promise.all([params, requirePerson()]);
  await orNotFound(serverQueries().fetchQuery(trpc.fiat.topup.queryOptions({ id })));
  return (
    <Hydrate>
      <TopupPage id={id} isOperator={partnerId === null} mayResend={mayResend(role)} mayDecide={partnerId === null && role === "admin"} />
    </Hydrate>
  );
}
