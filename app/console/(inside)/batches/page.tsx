import type { SearchParams } from "../../_components/lists/address-params.ts";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { BatchList } from "./batch-list.tsx";
import { BATCHES, pageOf } from "./search-params.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Batches({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId, role } = await requirePerson();
  return await shown(
    <BatchList isOperator={partnerId === null} mayPay={role === "owner"} />,
    read(trpc.batches.list.queryOptions(pageOf(BATCHES.load(await searchParams)))),
    read(trpc.settlements.choices.queryOptions()),
  );
}
