import { requireAdmin, serverQueries, shown, trpc } from "../../_trpc/page.ts";
import { titled, translationsOf } from "../../_words/server.ts";
import { PeopleScreen } from "./people-screen.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function People() {
  const { userId } = await requireAdmin();
  const t = await translationsOf(PAGE);
  const [partners] = await Promise.all([
    serverQueries().fetchQuery(trpc.people.partners.queryOptions()),
    serverQueries().prefetchQuery(trpc.people.list.queryOptions({ of: "operator" })),
    serverQueries().prefetchQuery(trpc.people.permissions.queryOptions()),
  ]);
  return await shown(<PeopleScreen title={t.title} own={{ kind: "operator" }} self={userId} partners={partners} />);
}
