import type { Metadata } from "next";
import { Hydrate } from "../../../../_trpc/hydrate.tsx";
import { orNotFound, serverQueries, trpc } from "../../../../_trpc/server.ts";
import { requirePerson } from "../../../../_trpc/session.ts";
import { mayResend } from "../../../callbacks/may-resend.ts";
import { WithdrawalPage } from "./withdrawal-page.tsx";

export const metadata: Metadata = { title: "Withdrawal" };

export default async function Withdrawal({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }, { partnerId, role }] = await Promise.all([params, requirePerson()]);
  await orNotFound(serverQueries().fetchQuery(trpc.fiat.withdrawal.queryOptions({ id })));
  return (
    <Hydrate>
      <WithdrawalPage
        id={id}
        isOperator={partnerId === null}
        mayResend={mayResend(role)}
        mayDecide={partnerId === null && role === "admin"}
      />
    </Hydrate>
  );
}
