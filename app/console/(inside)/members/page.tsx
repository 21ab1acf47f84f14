import type { SearchParams } from "../../_components/lists/address-params.ts";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { MemberList } from "./member-list.tsx";
import { MEMBERS, pageOf } from "./search-params.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Members({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId, role } = await requirePerson();
  return await shown(
    <MemberList isOperator={partnerId === null} mayManage={role === "owner"} />,
    read(trpc.members.list.queryOptions(pageOf(MEMBERS.load(await searchParams)))),
    read(trpc.settlements.choices.queryOptions()),
  );
}
