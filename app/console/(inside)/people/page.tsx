import type { Metadata } from "next";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requireAdmin } from "../../_trpc/session.ts";
import { PeopleScreen } from "./people-screen.tsx";

export const metadata: Metadata = { title: "Users & roles" };

export default async function People() {
  const { userId } = await requireAdmin();
  const [partners] = await Promise.all([
    serverQueries().fetchQuery(trpc.people.partners.queryOptions()),
    serverQueries().prefetchQuery(trpc.people.list.queryOptions({ of: "operator" })),
    serverQueries().prefetchQuery(trpc.people.permissions.queryOptions()),
  ]);
  return (
    <Hydrate>
      <PeopleScreen title="Users & roles" own={{ kind: "operator" }} self={userId} partners={partners} />
    </Hydrate>
  );
}
