import { listAllOpenHalts } from "#db/queries/halts/lane-halts.ts";
import { listProcesses } from "#db/queries/upkeep/processes.ts";
import { readReplication } from "#db/queries/upkeep/replication.ts";
import { countAwaiting, countOpenTransfers, countWaitingTransfers, listRateAges, readBacklogs } from "#db/queries/upkeep/vitals.ts";
import type { Vitals } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";

/** Reads the vitals: a handful of small queries over what is open. Throws when the database does not answer. */
export async function readVitals(ctx: Uses<"db">): Promise<Vitals> {
  const [processes, backlogs, openTransfers, waitingTransfers, awaiting, rates, halts, replication] = await Promise.all([
    listProcesses(ctx.db),
    readBacklogs(ctx.db),
    countOpenTransfers(ctx.db),
    countWaitingTransfers(ctx.db),
    countAwaiting(ctx.db),
    listRateAges(ctx.db),
    listAllOpenHalts(ctx.db),
    readReplication(ctx.db),
  ]);
  return { processes, backlogs, openTransfers, waitingTransfers, ...awaiting, rates, halts, replication };
}
