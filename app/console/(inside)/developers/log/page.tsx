import type { SearchParams } from "../../../_components/lists/address-params.ts";
import { read, requirePerson, shown, trpc } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { ApiLog } from "./api-log.tsx";
import { API_LOG, filterOf, pageOf } from "./search-params.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Log({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId } = await requirePerson();
  const params = API_LOG.load(await searchParams);
  return await shown(
    <ApiLog isOperator={partnerId === null} />,
    read(trpc.apiLog.list.queryOptions(pageOf(params))),
    read(trpc.apiLog.summary.queryOptions(filterOf(params))),
    read(trpc.apiLog.choices.queryOptions()),
  );
}
