import type { Uses } from "#server/context.ts";
import { callbackDuties } from "#server/engines/callbacks/duties.ts";
import { createCallbackEngine } from "#server/engines/callbacks/engine.ts";
import type { Duty } from "#server/engines/duty.ts";
import { destinationDuties } from "#server/engines/event-destinations/duties.ts";
import { createDestinationEngine } from "#server/engines/event-destinations/engine.ts";
import { balanceDuty, fiatDuties } from "#server/engines/fiat-orders/duties.ts";
import { createFiatEngine } from "#server/engines/fiat-orders/engine.ts";
import { lapsingDuties } from "#server/engines/lapsing/duties.ts";
import { createLapsingEngine } from "#server/engines/lapsing/engine.ts";
import { attestationDuty, exposureDuty, heartbeatDuty, maintenanceDuties } from "#server/engines/maintenance/duties.ts";
import { ratesDuty } from "#server/engines/maintenance/rates-duty.ts";
import { notificationDuties } from "#server/engines/notifications/duties.ts";
import { connectChains } from "#server/engines/payments/claiming/connect-nodes.ts";
import { paymentDuties } from "#server/engines/payments/duties.ts";
import { createTransferEngine } from "#server/engines/payments/engine.ts";
import { planSweep } from "#server/engines/payments/signing/plan-sweep.ts";
import { deploymentDuties } from "#server/engines/safe-deployments/process-deployments.ts";
import { simulatedRailDuties } from "#server/engines/simulated-rail/duties.ts";
import { simulatedRail } from "#server/engines/simulated-rail/simulated-rail.ts";
import { metrics, observeRuntime, observeVersion } from "#server/observe/metrics.ts";
import { openTracing } from "#server/observe/open-tracing.ts";
import {
  observeCallbackAttempt,
  observeJob,
  setAttested,
  setExposures,
  setProviderBalances,
  setReceivers,
  setReconciliation,
} from "#server/observe/record.ts";
import { takeSnapshot } from "#server/observe/snapshot.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import { readVersion } from "#server/observe/version.ts";
import type { Log } from "#server/ports.ts";
import { endBadly } from "#server/process/end-badly.ts";
import { stopSignal } from "#server/process/stop-signal.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { assertFitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { warnOfReplication } from "#server/services/maintenance/read-vitals.ts";
import { recordScreening } from "#server/services/screening/record-screening.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { assertFitNodes } from "./assert-fit-nodes.ts";
import { startLoop } from "./loop.ts";
import { workerWiring } from "./wiring.ts";

/** A stop that takes longer is cut short: remaining leases expire within seconds. */
const LONGEST_STOP_MS = 12_000;

/** The worker process: does due work until it is asked to stop, then releases its leases and exits with 0. */
async function main(): Promise<void> {
  const { ctx, config, database, attestations, rateSource, httpRails, callAsProvider } = workerWiring();
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
  const payments = createTransferEngine({ ctx, workerId, onFinal: completeOwner });
  const lapsing = createLapsingEngine({ ctx, chains: ctx.lapsing.list(), signers: ctx.lapsingSigners, onFinal: completeOwner });
  const simulated = config.fiatRail.kind === "simulated" ? simulatedRail(ctx) : null;
  const fiat = createFiatEngine({
    ctx,
    rails: { of: (provider) => httpRails.get(provider) ?? (provider === config.fiatRail.name ? simulated : null) },
    planSweep: (sweep) => planSweep(ctx, sweep),
  });
  const stopped = stopSignal();
  // Once "ready" is reported, the worker before this one may be stopped: from the first heartbeat on, `/ready` gets the chains' state from
  // this one.
  const heard = Promise.race([connectChains(payments), stopped]);
  const callbacks = createCallbackEngine(ctx, {
    brand: config.brand,
    signPublicly: ctx.callbackKeys.sign,
    onAttempt: observeCallbackAttempt,
  });
  const destinations = createDestinationEngine(ctx, { brand: config.brand, signPublicly: ctx.callbackKeys.sign });
  const takeFigures = async () => {
    await heard;
    setReceivers(callbacks.receivers.figures(performance.now()));
    return await takeSnapshot();
  };
  const heartbeat = heartbeatDuty(ctx, { id: workerId, startedAt: ctx.clock.now(), takeFigures });
  const duties: Duty[] = [
    heartbeat,
    ...callbackDuties(callbacks),
    ...destinationDuties(destinations),
    ...paymentDuties(payments),
    ...lapsingDuties(lapsing),
    ...deploymentDuties(ctx),
    ...fiatDuties(fiat),
    balanceDuty(ctx, simulated ? new Map([...httpRails, [config.fiatRail.name, simulated]]) : httpRails, setProviderBalances),
    ...(simulated ? simulatedRailDuties(ctx, callAsProvider) : []),
    ...notificationDuties(ctx, config),
    ...maintenanceDuties(ctx, { onReconciled: setReconciliation, retention: config.retention }),
    exposureDuty(ctx, setExposures),
    ...(attestations ? [attestationDuty(ctx, { folder: attestations, onAttested: setAttested })] : []),
    ...(rateSource ? [ratesDuty(ctx, { source: rateSource, maximumAgeSeconds: config.rateMaxAgeSeconds })] : []),
  ];
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
