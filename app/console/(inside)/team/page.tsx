import type { Metadata } from "next";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requireOwner } from "../../_trpc/session.ts";
import { PeopleScreen } from "../people/people-screen.tsx";

export const metadata: Metadata = { title: "Team" };

export default async function Team() {
  const { userId, partnerId, partnerName } = await requireOwner();
  await Promise.all([
    serverQueries().prefetchQuery(trpc.people.list.queryOptions({})),
    serverQueries().prefetchQuery(trpc.people.permissions.queryOptions()),
  ]);
  return (
    <Hydrate>
      <PeopleScreen title="Team" own={{ kind: "partner", id: partnerId ?? "", name: partnerName ?? "" }} self={userId} partners={[]} />
    </Hydrate>
  );
}
