import { BEAT_EVERY_SECONDS } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";
import { type DeliveryPowers, deliverCallbacks } from "#server/engines/callbacks/deliver-callbacks.ts";
import { type TendingPowers, tendDeployments } from "#server/engines/safe-deployments/tend-deployments.ts";
import { observeCallbackAttempt } from "#server/observe/record.ts";
import { takeSnapshot } from "#server/observe/snapshot.ts";
import { forgetApiRequests } from "#server/services/access/forget-api-requests.ts";
import { forgetSpentAccess } from "#server/services/access/forget-spent-access.ts";
import { APPROVAL_BATCH, rejectOverdueSettlements } from "#server/services/settlements/reject-overdue-settlements.ts";
import { beat, sayFarewell } from "#server/services/upkeep/beat.ts";
import { resealSecrets } from "#server/services/upkeep/reseal-secrets.ts";
import type { Duty } from "./loop.ts";

/** How long callbacks in flight may still finish when the worker is told to stop; the others are called off and given back. */
const DRAIN_GRACE_MS = 3_000;

/** Owed callbacks: the schedule's promise is a start within two seconds of being due, so the net is finer than that. */
export function callbacksDuty(ctx: DeliveryPowers, brand: string): Duty {
  const delivery = deliverCallbacks(ctx, { brand, onAttempt: observeCallbackAttempt });
  return {
    name: "callbacks",
    channel: "callbacks",
    everyMs: 500,
    run: () => delivery.run(),
    onWake: (wake) => delivery.onRoom(wake),
    drain: () => delivery.drain(DRAIN_GRACE_MS),
  };
}

/** Safes and their contracts, one duty per chain: what was asked for is owed, what was made is looked at. */
export function safeDeploymentDuties(ctx: TendingPowers): Duty[] {
  return ctx.evm.list().map(({ chain }) => ({
    name: `safe deployments ${chain}`,
    channel: "transfers",
    everyMs: 1_000,
    run: () => tendDeployments(ctx, chain),
  }));
}

/** Settlements that nobody decided on for seven days. */
export function overdueApprovalsDuty(ctx: Uses<"db" | "clock">): Duty {
  return {
    name: "overdue_approvals",
    everyMs: 5_000,
    run: async () => ((await rejectOverdueSettlements(ctx)) < APPROVAL_BATCH ? "idle" : "busy"),
  };
}

/** Nonces, kept answers and log entries that can no longer matter. */
export function upkeepDuty(ctx: Uses<"db" | "clock">): Duty {
  return {
    name: "upkeep",
    everyMs: 30_000,
    async run() {
      const spent = await forgetSpentAccess(ctx);
      const logged = await forgetApiRequests(ctx);
      return spent.more || logged.more ? "busy" : "idle";
    },
  };
}

/** After a rotation of the vault's key: seals what older keys have sealed under the new one. */
export function resealDuty(ctx: Uses<"db" | "vault" | "log">): Duty {
  return {
    name: "reseal",
    everyMs: 60_000,
    async run() {
      const { resealed, unreadable } = await resealSecrets(ctx);
      if (resealed > 0) ctx.log.info({ resealed }, "secrets were sealed under the current key");
      if (unreadable > 0) ctx.log.error({ unreadable }, "secrets are sealed under a key that VAULT_KEYS does not hold");
      return "idle";
    },
  };
}

/** Says every few seconds that this worker is alive, with its figures for whoever serves `/metrics`. */
export function heartbeatDuty(ctx: Uses<"db">, workerId: string, startedAt: Date): Duty {
  return {
    name: "heartbeat",
    everyMs: BEAT_EVERY_SECONDS * 1_000,
    async run() {
      await beat(ctx, { id: workerId, kind: "worker", startedAt, metrics: await takeSnapshot() });
      return "idle";
    },
    drain: () => sayFarewell(ctx, workerId),
  };
}
