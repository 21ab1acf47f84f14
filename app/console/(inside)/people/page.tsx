import type { Metadata } from "next";
import { requireAdmin, serverQueries, shown, trpc } from "../../_trpc/page.ts";
import { PeopleScreen } from "./people-screen.tsx";

export const metadata: Metadata = { title: "Users & roles" };

export default async function People() {
  const { userId } = await requireAdmin();
  const [partners] = await Promise.all([
    serverQueries().fetchQuery(trpc.people.partners.queryOptions()),
    serverQueries().prefetchQuery(trpc.people.list.queryOptions({ of: "operator" })),
    serverQueries().prefetchQuery(trpc.people.permissions.queryOptions()),
  ]);
  return await shown(<PeopleScreen title="Users & roles" own={{ kind: "operator" }} self={userId} partners={partners} />);
}
