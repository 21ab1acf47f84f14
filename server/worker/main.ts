import { randomUUID } from "node:crypto";
import { createFiatEngine } from "#server/engines/fiat-orders/engine.ts";
import { fiatDuties } from "#server/engines/fiat-orders/run-orders.ts";
import { createTransferEngine } from "#server/engines/payments/engine.ts";
import { releaseTransferLeases } from "#server/engines/payments/hold-wallets.ts";
import { planSweep } from "#server/engines/payments/plan-sweep.ts";
import { transferDuties } from "#server/engines/payments/run-transfers.ts";
import { simulatedRail } from "#server/engines/simulated-rail/simulated-rail.ts";
import { observeRuntime } from "#server/observe/metrics.ts";
import { observeJob } from "#server/observe/record.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import type { Log } from "#server/ports.ts";
import { endBadly } from "#server/process/end-badly.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { assertFitDatabase } from "#server/services/upkeep/assert-fit-database.ts";
import { warnOfReplication } from "#server/services/upkeep/warn-of-replication.ts";
import { workerWiring } from "#server/wiring.ts";
import { sealingDuty, verificationDuty } from "./audit-duties.ts";
import { callbacksDuty, heartbeatDuty, overdueApprovalsDuty, resealDuty, safeDeploymentDuties, upkeepDuty } from "./duties.ts";
import { type Duty, startLoop } from "./loop.ts";
import { ratesDuty } from "./rates-duty.ts";
import { reconciliationDuty } from "./reconciliation-duty.ts";
import { simulatedRailDuty } from "./simulated-rail-duty.ts";

/** A stop that takes longer is cut short: the leases that were not given back lapse within seconds. */
const LONGEST_STOP_MS = 12_000;

/** The worker process: does due work until it is told to stop, then gives back what it holds and exits with 0. */
async function main(): Promise<void> {
  const { ctx, config, database, rateSource, fiatRail, callAsProvider } = workerWiring();
  goOnDespiteTrouble(ctx.log);
  await assertFitDatabase(ctx);
  if (config.mode === "live") await warnOfReplication(ctx);
  observeRuntime("worker");
  const workerId = randomUUID();
  const engine = createTransferEngine({ ctx, workerId, onFinal: completeOwner });
  const fiat = createFiatEngine({ ctx, rail: fiatRail ?? simulatedRail(ctx), planSweep: (sweep) => planSweep(ctx, sweep) });
  const duties: Duty[] = [
    heartbeatDuty(ctx, workerId, ctx.clock.now()),
    callbacksDuty(ctx, config.brand),
    ...transferDuties(engine),
    ...safeDeploymentDuties(ctx),
    ...fiatDuties(fiat),
    ...(fiatRail ? [] : [simulatedRailDuty(ctx, callAsProvider)]),
    reconciliationDuty(ctx),
    overdueApprovalsDuty(ctx),
    sealingDuty(ctx),
    verificationDuty(ctx),
    upkeepDuty(ctx),
    resealDuty(ctx),
    ...(rateSource ? [ratesDuty(ctx, { source: rateSource, maximumAgeSeconds: config.rateMaxAgeSeconds })] : []),
  ];
  const told = stopSignal();
  const loop = startLoop({ duties, listen: database.listen, log: ctx.log, onRound: observeJob });
  ctx.log.info({ worker_id: workerId, duties: duties.map((duty) => duty.name) }, "the worker is ready");
  process.send?.("ready");
  const reason = await told;
  ctx.log.info({ worker_id: workerId, reason }, "the worker stops");
  setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
  await loop.stop();
  await releaseTransferLeases(engine).catch((error: unknown) =>
    ctx.log.warn({ error }, "wallets could not be given back; their leases lapse"),
  );
  await database.close();
  process.exit(0);
}

/** A database or a node in trouble ends nobody's process, whichever promise tells of it. What nobody foresaw does: a new one starts clean. */
function goOnDespiteTrouble(log: Log): void {
  process.on("unhandledRejection", (error) => {
    log.error({ err: error }, "a rejection that nobody handled");
    if (refusalFor(error).code === "internal_error") process.exit(1);
  });
}

/** What tells the worker to stop: a signal, or the end of the process that started it. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => resolve(name));
    if (process.channel) process.once("disconnect", () => resolve("the parent is gone"));
  });
}

try {
  await main();
} catch (error) {
  endBadly("worker", error);
}
