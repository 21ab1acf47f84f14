import type { Uses } from "#server/context.ts";
import { metrics, observeRuntime, observeVersion } from "#server/observe/metrics.ts";
import { openTracing } from "#server/observe/open-tracing.ts";
import { observeJob } from "#server/observe/record.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import { readVersion } from "#server/observe/version.ts";
import type { Log } from "#server/ports.ts";
import { endBadly } from "#server/process/end-badly.ts";
import { stopSignal } from "#server/process/stop-signal.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { assertFitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { warnOfReplication } from "#server/services/maintenance/read-vitals.ts";
import { recordScreening } from "#server/services/screening/record-screening.ts";
import { assertFitNodes } from "./assert-fit-nodes.ts";
import { workerDuties } from "./duties.ts";
import { startLoop } from "./loop.ts";
import { workerWiring } from "./wiring.ts";

/** A stop that takes longer is cut short: remaining leases expire within seconds. */
const LONGEST_STOP_MS = 12_000;

/** The worker process: does due work until it is asked to stop, then releases its leases and exits with 0. */
async function main(): Promise<void> {
  const wiring = workerWiring();
  const { ctx, config, database, attestations } = wiring;
  goOnDespiteTrouble(ctx.log);
  await assertFitDatabase(ctx, "worker");
  await assertFitNodes(ctx);
  await ctx.screener.watch();
  await recordScreening(ctx);
  if (config.mode === "live") await beginLive(ctx);
  if (config.mode === "live" && attestations === null)
    ctx.log.warn({}, "ATTESTATIONS_DIR is not set: the books are attested nowhere outside of the database (docs/runbooks/attestations.md)");
  const version = readVersion();
  observeRuntime("worker");
  observeVersion("worker", version);
  const workerId = metrics().id;
  const closeTracing = await openTracing(config.tracing, { kind: "worker", instance: workerId });
  const stopped = stopSignal();
  // Once "ready" is reported, the worker before this one may be stopped: from the first heartbeat on, `/ready` gets the chains' state from
  // this one.
  const { heartbeat, duties } = workerDuties(wiring, { workerId, stopped });
  const loop = startLoop({ duties, listen: database.listen, log: ctx.log, onRound: observeJob });
  await heartbeat.run(new AbortController().signal).catch((err: unknown) => ctx.log.warn({ err }, "the first heartbeat was not recorded"));
  ctx.log.info({ version, worker_id: workerId, duties: duties.map((duty) => duty.name) }, "the worker is ready");
  process.send?.("ready");
  const reason = await stopped;
  ctx.log.info({ worker_id: workerId, reason }, "the worker stops");
  setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
  await loop.stop();
  await closeTracing();
  // Queries of an abandoned round are not awaited.
  await database.close(1);
  process.exit(0);
}

/** What a live service has that a sandbox begins without: the first limits, which an administrator may change. */
async function beginLive(ctx: Uses<"db" | "log">): Promise<void> {
  await warnOfReplication(ctx);
  const opened = await openLimits(ctx);
  if (opened.length > 0) ctx.log.info({ limits: opened }, "the limits that a live service begins with are set");
}

/** A database or node error does not end the process, whichever promise rejects. An unforeseen one does: a new process starts clean. */
function goOnDespiteTrouble(log: Log): void {
  process.on("unhandledRejection", (error) => {
    log.error({ err: error }, "an unhandled promise rejection");
    if (refusalFor(error).code === "internal_error") process.exit(1);
  });
}

try {
  await main();
} catch (error) {
  endBadly("worker", error);
}
