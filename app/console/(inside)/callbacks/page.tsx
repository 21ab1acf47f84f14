import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requirePerson } from "../../_trpc/session.ts";
import { CallbacksPage } from "./callbacks-page.tsx";
import { mayResend } from "./may-resend.ts";
import { CALLBACKS, pageOf, scopeOf } from "./search-params.ts";

export const metadata: Metadata = { title: "Callbacks" };

export default async function Callbacks({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { role, partnerId } = await requirePerson();
  const params = await CALLBACKS.load(searchParams);
  const queries = serverQueries();
  const scope = scopeOf(params);
  await Promise.all([
    queries.prefetchQuery(trpc.callbacks.counts.queryOptions(scope)),
    params.tab === "endpoints"
      ? queries.prefetchQuery(trpc.callbacks.endpoints.queryOptions(scope))
      : queries.prefetchQuery(trpc.callbacks.list.queryOptions(pageOf(params))),
    (params.tab === "undelivered" || params.tab === "retrying") &&
      queries.prefetchQuery(trpc.callbacks.groups.queryOptions({ ...scope, state: params.tab })),
  ]);
  return (
    <Hydrate>
      <CallbacksPage isOperator={partnerId === null} mayResend={mayResend(role)} />
    </Hydrate>
  );
}
