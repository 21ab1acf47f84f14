import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../../_trpc/page.ts";
import { titled } from "../../../../_words/server.ts";
import { mayResend } from "../../../callbacks/may-resend.ts";
import { WITHDRAWAL } from "../../story-words.ts";
import { WithdrawalPage } from "./withdrawal-page.tsx";

export const generateMetadata = titled(WITHDRAWAL);

export default async function Withdrawal({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }, { partnerId, role }] = await Promise.all([params, requirePerson()]);
  await orNotFound(serverQueries().fetchQuery(trpc.fiat.withdrawal.queryOptions({ id })));
  return await shown(
    <WithdrawalPage
      id={id}
      isOperator={partnerId === null}
      mayResend={mayResend(role)}
      mayDecide={partnerId === null && role === "admin"}
      mayMove={partnerId !== null && role === "owner"}
    />,
  );
}
