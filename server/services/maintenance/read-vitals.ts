import { listAllOpenHalts } from "#db/queries/halts/scope-halts.ts";
import { endAbandonedSessions } from "#db/queries/maintenance/abandoned-sessions.ts";
import { readReplication } from "#db/queries/maintenance/database-state.ts";
import {
  countAwaiting,
  countOpenTransfers,
  countWaitingTransfers,
  deleteProcess,
  deleteSilentProcesses,
  type Heartbeat,
  listProcesses,
  listRateAges,
  readBacklogs,
  saveHeartbeat,
} from "#db/queries/maintenance/vitals.ts";
import { sumSuspense } from "#db/queries/transfers/suspense-lines.ts";
import { describeReplication, type Vitals } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";

/** Reads the vitals: a handful of small queries over what is open. Throws when the database does not answer. */
export async function readVitals(ctx: Uses<"db">): Promise<Vitals> {
  const [processes, backlogs, openTransfers, waitingTransfers, awaiting, rates, halts, suspense, replication] = await Promise.all([
    listProcesses(ctx.db),
    readBacklogs(ctx.db),
    countOpenTransfers(ctx.db),
    countWaitingTransfers(ctx.db),
    countAwaiting(ctx.db),
    listRateAges(ctx.db),
    listAllOpenHalts(ctx.db),
    sumSuspense(ctx.db),
    readReplication(ctx.db),
  ]);
  return { processes, backlogs, openTransfers, waitingTransfers, ...awaiting, rates, halts, suspense, replication };
}

/** Live mode says at its start whether a failover of the database may lose what was committed: afterwards wallets halt, and people compare. */
export async function warnOfReplication(ctx: Uses<"db" | "log">): Promise<void> {
  const replication = await readReplication(ctx.db);
  if (!replication.isSynchronous) ctx.log.warn({}, describeReplication(replication).detail);
}

/** Records this process's heartbeat and its figures, which every `/metrics` serves. Called every `BEAT_EVERY_SECONDS`. */
export async function recordHeartbeat(ctx: Uses<"db">, heartbeat: Heartbeat): Promise<void> {
  await saveHeartbeat(ctx.db, heartbeat);
  await deleteSilentProcesses(ctx.db);
}

/** No statement of ours runs longer (`SESSION_SETTINGS`), and a program that works answers within milliseconds. */
const ABANDONED_SECONDS = 5;

/**
 * Ends the database sessions of frozen processes, so that their locks hinder nobody. Each process does it for those of its own log-in, with
 * every heartbeat. A frozen process that resumes finds its transaction rolled back, as after a lost connection.
 */
export async function endAbandoned({ db, log }: Uses<"db" | "log">): Promise<void> {
  const count = await endAbandonedSessions(db, ABANDONED_SECONDS);
  if (count > 0)
    log.warn({ count }, "sessions of a process that stopped in the middle of a statement were ended: it is frozen, or its machine");
}

/** Says that this process stops on purpose, so that nobody takes it for dead. */
export async function deregisterProcess(ctx: Uses<"db">, processId: string): Promise<void> {
  await deleteProcess(ctx.db, processId);
}
