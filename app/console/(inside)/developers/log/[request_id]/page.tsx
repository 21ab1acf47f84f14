import type { Metadata } from "next";
import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../../_trpc/page.ts";
import { translationsOf } from "../../../../_words/server.ts";
import { RequestPage } from "./request-page.tsx";
import { PAGE } from "./words.ts";

type Props = { params: Promise<{ request_id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await translationsOf(PAGE);
  return { title: t.title((await params).request_id.slice(0, 40)) };
}

export default async function LoggedRequest({ params }: Props) {
  await requirePerson();
  const { request_id } = await params;
  await orNotFound(serverQueries().fetchQuery(trpc.apiLog.byId.queryOptions({ request_id })));
  return await shown(<RequestPage requestId={request_id} />);
}
