import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { Incidents } from "./incidents.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

/** The troubles of this moment, and the incidents that people opened for them. */
export default async function IncidentsPage() {
  const { role } = await requireOperator();
  return await shown(<Incidents mayAct={role !== "viewer"} />, read(trpc.incidents.list.queryOptions()));
}
