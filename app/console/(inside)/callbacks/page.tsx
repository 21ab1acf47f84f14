import type { SearchParams } from "../../_components/lists/address-params.ts";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { CallbacksPage } from "./callbacks-page.tsx";
import { mayResend } from "./may-resend.ts";
import { CALLBACKS, pageOf, scopeOf } from "./search-params.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Callbacks({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { role, partnerId } = await requirePerson();
  const params = CALLBACKS.load(await searchParams);
  const scope = scopeOf(params);
  return await shown(
    <CallbacksPage isOperator={partnerId === null} mayResend={mayResend(role)} />,
    read(trpc.callbacks.counts.queryOptions(scope)),
    params.tab === "endpoints"
      ? read(trpc.callbacks.endpoints.queryOptions(scope))
      : read(trpc.callbacks.list.queryOptions(pageOf(params))),
    (params.tab === "undelivered" || params.tab === "retrying") &&
      read(trpc.callbacks.groups.queryOptions({ ...scope, state: params.tab })),
  );
}
