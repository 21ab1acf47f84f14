import { listProcesses } from "#db/queries/processes.ts";
import { countAwaiting, countOpenTransfers, countWaitingTransfers, listRateAges, readBacklogs } from "#db/queries/vitals.ts";
import type { Uses } from "#server/context.ts";
import type { Vitals } from "#server/domain/vitals.ts";

/** Reads the vitals: a handful of small queries over what is open. Throws when the database does not answer. */
export async function readVitals(ctx: Uses<"db">): Promise<Vitals> {
  const [processes, backlogs, openTransfers, waitingTransfers, awaiting, rates] = await Promise.all([
    listProcesses(ctx.db),
    readBacklogs(ctx.db),
    countOpenTransfers(ctx.db),
    countWaitingTransfers(ctx.db),
    countAwaiting(ctx.db),
    listRateAges(ctx.db),
  ]);
  return { processes, backlogs, openTransfers, waitingTransfers, ...awaiting, rates };
}
