import { listProcesses, type ProcessRow } from "#db/queries/processes.ts";
import { type Backlog, countAwaiting, countOpenTransfers, countWaitingTransfers, listRateAges, type RateAge, readBacklogs } from "#db/queries/vitals.ts";
import type { Uses } from "#server/context.ts";

/** How the service is doing, as the database knows it. */
export type Vitals = {
  processes: readonly ProcessRow[];
  backlogs: readonly Backlog[];
  openTransfers: readonly { state: string; count: number }[];
  waitingTransfers: readonly { chain: string; reason: string; count: number }[];
  undeliveredCallbacks: number;
  pendingApprovals: number;
  rates: readonly RateAge[];
};

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
