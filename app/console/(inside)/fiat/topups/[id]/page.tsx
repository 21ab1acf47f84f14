import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../../_trpc/page.ts";
import { titled } from "../../../../_words/server.ts";
import { mayResend } from "../../../callbacks/may-resend.ts";
import { TOPUP } from "../../story-words.ts";
import { TopupPage } from "./topup-page.tsx";

export const generateMetadata = titled(TOPUP);

export default async function Topup({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }, { partnerId, role }] = await Promise.all([params, requirePerson()]);
  await orNotFound(serverQueries().fetchQuery(trpc.fiat.topup.queryOptions({ id })));
  return await shown(
    <TopupPage
      id={id}
      isOperator={partnerId === null}
      mayResend={mayResend(role)}
      mayDecide={partnerId === null && role === "admin"}
      mayMove={partnerId !== null && role === "owner"}
    />,
  );
}
