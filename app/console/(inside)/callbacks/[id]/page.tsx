import type { Metadata } from "next";
import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../_trpc/page.ts";
import { translationsOf } from "../../../_words/server.ts";
import { mayResend } from "../may-resend.ts";
import { CallbackPage } from "./callback-page.tsx";
import { PAGE } from "./words.ts";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await translationsOf(PAGE)).title((await params).id.slice(0, 40)) };
}

export default async function Callback({ params }: Props) {
  const { role, partnerId } = await requirePerson();
  const { id } = await params;
  await orNotFound(serverQueries().fetchQuery(trpc.callbacks.byId.queryOptions({ id })));
  return await shown(<CallbackPage id={id} isOperator={partnerId === null} mayResend={mayResend(role)} />);
}
