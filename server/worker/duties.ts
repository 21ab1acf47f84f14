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
import {
  observeCallbackAttempt,
  setAttested,
  setExposures,
  setProviderBalances,
  setReceivers,
  setReconciliation,
} from "#server/observe/record.ts";
import { takeSnapshot } from "#server/observe/snapshot.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import type { WorkerWiring } from "./wiring.ts";

/** What of a worker's wiring its duties are made of. */
type DutyWiring = Pick<WorkerWiring, "ctx" | "attestations" | "rateSource" | "httpRails" | "callAsProvider"> & {
  config: Pick<WorkerWiring["config"], "brand" | "baseUrl" | "fiatRail" | "retention" | "rateMaxAgeSeconds">;
};

/**
 * All duties of a worker. `heartbeat` is one of them: its first round says that the worker works. Until `stopped` it waits for the first
 * answer of every chain, because `/ready` gets the chains' state from the heartbeat.
 */
export function workerDuties(
  { ctx, config, attestations, rateSource, httpRails, callAsProvider }: DutyWiring,
  { workerId, stopped }: { workerId: string; stopped: Promise<unknown> },
): { heartbeat: Duty; duties: Duty[] } {
  const payments = createTransferEngine({ ctx, workerId, onFinal: completeOwner });
  const lapsing = createLapsingEngine({ ctx, chains: ctx.lapsing.list(), signers: ctx.lapsingSigners, onFinal: completeOwner });
  const simulated = config.fiatRail.kind === "simulated" ? simulatedRail(ctx) : null;
  const fiat = createFiatEngine({
    ctx,
    rails: { of: (provider) => httpRails.get(provider) ?? (provider === config.fiatRail.name ? simulated : null) },
    planSweep: (sweep) => planSweep(ctx, sweep),
  });
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
  return { heartbeat, duties };
}
