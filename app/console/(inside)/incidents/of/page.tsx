import { redirect } from "next/navigation";
import { orNotFound, requireOperator, serverQueries, shown, trpc } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { PAGE } from "../words.ts";
import { TroublePage } from "./trouble-page.tsx";

export const generateMetadata = titled(PAGE);

/** A trouble's own page: its open incident or, while nobody has opened one, what is known of it. */
export default async function Page({ searchParams }: { searchParams: Promise<{ trouble?: string | string[] }> }) {
  const { role } = await requireOperator();
  const { trouble: name } = await searchParams;
  if (typeof name !== "string") redirect("/console/incidents");
  const list = trpc.incidents.list.queryOptions();
  await orNotFound(serverQueries().fetchQuery(list));
  const known = serverQueries().getQueryData(list.queryKey)?.data ?? [];
  const open = known.find(({ trouble, ended_at }) => trouble === name && ended_at === null);
  if (open !== undefined) redirect(`/console/incidents/${open.id}`);
  return await shown(<TroublePage name={name} mayAct={role !== "viewer"} />);
}
