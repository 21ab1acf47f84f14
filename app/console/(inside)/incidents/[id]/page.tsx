import { stepsOf } from "#domain/incident.ts";
import { RUNBOOKS } from "#domain/runbook.ts";
import { orNotFound, requireOperator, serverQueries, shown, trpc } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { RUNBOOK_TEXTS } from "../../../runbooks/texts.ts";
import { ONE } from "../words.ts";
import { Incident } from "./incident.tsx";

export const generateMetadata = titled(ONE);

/** One trouble: who is on it, what waits, the runbook's steps and the timeline. */
export default async function IncidentPage({ params }: { params: Promise<{ id: string }> }) {
  const { role } = await requireOperator();
  const { id } = await params;
  const asked = trpc.incidents.byId.queryOptions({ id });
  await orNotFound(serverQueries().fetchQuery(asked));
  const { runbook } = await serverQueries().fetchQuery(asked);
  const known = RUNBOOKS.find((each) => each === runbook);
  const steps = known === undefined ? [] : stepsOf(RUNBOOK_TEXTS[known]);
  return await shown(<Incident id={id} steps={steps} mayAct={role !== "viewer"} />);
}
