import type { Metadata } from "next";
import { Hydrate } from "../../../../_trpc/hydrate.tsx";
import { orNotFound, serverQueries, trpc } from "../../../../_trpc/server.ts";
import { requirePerson } from "../../../../_trpc/session.ts";
import { RequestPage } from "./request-page.tsx";

type Props = { params: Promise<{ request_id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Request ${(await params).request_id.slice(0, 40)}` };
}

export default async function LoggedRequest({ params }: Props) {
  await requirePerson();
  const { request_id } = await params;
  await orNotFound(serverQueries().fetchQuery(trpc.apiLog.byId.queryOptions({ request_id })));
  return (
    <Hydrate>
      <RequestPage requestId={request_id} />
    </Hydrate>
  );
}
