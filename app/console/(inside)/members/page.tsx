import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requirePerson } from "../../_trpc/session.ts";
import { MemberList } from "./member-list.tsx";
import { MEMBERS, pageOf } from "./search-params.ts";

export const metadata: Metadata = { title: "Members" };

export default async function Members({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId, role } = await requirePerson();
  const queries = serverQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.members.list.queryOptions(pageOf(await MEMBERS.load(searchParams)))),
    queries.prefetchQuery(trpc.settlements.choices.queryOptions()),
  ]);
  return (
    <Hydrate>
      <MemberList isOperator={partnerId === null} mayManage={role === "owner"} />
    </Hydrate>
  );
}
