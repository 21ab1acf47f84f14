import { listExposures } from "#db/queries/exposure/open-quotes.ts";
import type { AttestationFolder } from "#domain/attestation.ts";
import type { Exposure } from "#domain/open-quotes.ts";
import type { Retention } from "#domain/retention.ts";
import { BEAT_EVERY_SECONDS } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";
import type { Duty } from "#server/engines/duty.ts";
import { Unreachable } from "#server/ports.ts";
import { forgetRefusedBodies } from "#server/services/access/forget-refused-bodies.ts";
import { forgetSpentAccess } from "#server/services/access/forget-spent-access.ts";
import { keepAttestations } from "#server/services/attestations/keep-attestations.ts";
import { SEALING_BATCH, sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import { keepAuditLogVerified, VERIFIED_EVERY_MS } from "#server/services/audit/verify-audit-log.ts";
import { forgetEvents, markEvents } from "#server/services/events/forget-events.ts";
import { forgetCounters } from "#server/services/exposure/forget-counters.ts";
import { endWaits } from "#server/services/holds/end-waits.ts";
import { bookkeeper } from "#server/services/ledger/add-up-books.ts";
import { keepLapsingTreasury } from "#server/services/ledger/lapsing-treasury.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { readReconciliations } from "#server/services/ledger/read-books.ts";
import { reconcile } from "#server/services/ledger/reconcile.ts";
import { keepRetention } from "#server/services/maintenance/keep-retention.ts";
import { deregisterProcess, endAbandoned, recordHeartbeat } from "#server/services/maintenance/read-vitals.ts";
import { resealSecrets } from "#server/services/maintenance/reseal-secrets.ts";
import { bringOutbox, hasOutbox } from "#server/services/settlements/bring-outbox.ts";
import { APPROVAL_BATCH, rejectOverdueSettlements } from "#server/services/settlements/reject-overdue-settlements.ts";
import { findBroughtSafes } from "#server/services/treasury/find-brought-safes.ts";
import { settleLines } from "#server/services/treasury/settle-lines.ts";
import { watchCoin } from "#server/services/treasury/watch-coin.ts";
import { watchMovements } from "#server/services/treasury/watch-movements.ts";

/** The delay after a failed verification, so that it is not repeated all the time. */
const AGAIN_AFTER_MS = 600_000;

/** Maintenance: the audit log's seals, the books, expired quotes and approvals, and old data. */
export function maintenanceDuties(
  ctx: Uses<"db" | "clock" | "log" | "vault" | "evm" | "lapsing" | "auditKey">,
  { onReconciled, retention }: { onReconciled: Parameters<typeof reconciliationDuty>[1]; retention: Retention },
): Duty[] {
  return [
    reconciliationDuty(ctx, onReconciled),
    bookkeepingDuty(ctx),
    movementDuty(ctx, "wallet"),
    movementDuty(ctx, "safe"),
    overdueApprovalsDuty(ctx),
    { name: "ended_waits", everyMs: 30_000, run: async () => ((await endWaits(ctx)) > 0 ? "busy" : "idle") },
    ...(hasOutbox(ctx) ? [outboxDuty(ctx)] : []),
    sealingDuty(ctx),
    verificationDuty(ctx),
    forgettingDuty(ctx),
    eventsDuty(ctx),
    retentionDuty(ctx, retention),
    resealDuty(ctx),
  ];
}

/** Reports every few seconds that this worker is alive, with its figures for every `/metrics`, and ends what a frozen one left behind. */
export function heartbeatDuty(ctx: Uses<"db" | "log">, worker: { id: string; startedAt: Date; takeFigures(): Promise<unknown[]> }): Duty {
  const { id, startedAt, takeFigures } = worker;
  return {
    name: "heartbeat",
    everyMs: BEAT_EVERY_SECONDS * 1_000,
    async run() {
      await recordHeartbeat(ctx, { id, kind: "worker", startedAt, metrics: await takeFigures() });
      await endAbandoned(ctx);
      return "idle";
    },
    drain: () => deregisterProcess(ctx, id),
  };
}

/** Settlements that nobody decided on for seven days. */
export function overdueApprovalsDuty(ctx: Uses<"db" | "clock">): Duty {
  return {
    name: "overdue_approvals",
    everyMs: 5_000,
    run: async () => ((await rejectOverdueSettlements(ctx)) < APPROVAL_BATCH ? "idle" : "busy"),
  };
}

/** Events that are old enough go, and a new line of the database's history is noticed. */
function eventsDuty(ctx: Uses<"db">): Duty {
  return {
    name: "events",
    everyMs: 3_000,
    async run() {
      await markEvents(ctx);
      return (await forgetEvents(ctx)) ? "busy" : "idle";
    },
  };
}

type Reconciliation = Awaited<ReturnType<typeof readReconciliations>>[number];

/** Once each business day: whether ledger, records and chains agree. Before that, opens the treasury's books where they are not open. */
function reconciliationDuty(ctx: Uses<"db" | "evm" | "lapsing" | "log">, onReconciled: (latest: Reconciliation) => void): Duty {
  const opener = keepTreasuryOpen(ctx);
  const lapsing = keepLapsingTreasury(ctx);
  return {
    name: "reconciliation",
    everyMs: 30_000,
    async run() {
      try {
        await opener.run();
        await lapsing.run();
        await reconcile(ctx);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        ctx.log.warn({ err: error }, "a chain did not answer; the reconciliation starts again");
      }
      const [latest] = await readReconciliations(ctx, 1);
      if (latest) onReconciled(latest);
      return "idle";
    },
  };
}

/** Balances of the books, added up so that later ones begin there. */
function bookkeepingDuty(ctx: Uses<"db">): Duty {
  const keeper = bookkeeper(ctx);
  return { name: "book_snapshots", everyMs: 30_000, run: async () => ((await keeper.run()) ? "busy" : "idle") };
}

/** Movements of wallets and Safes that no payment of ours explains. Safes are many: they are read less often. */
function movementDuty(ctx: Uses<"db" | "evm" | "log">, holder: "wallet" | "safe"): Duty {
  return {
    name: holder === "wallet" ? "treasury_movements" : "safe_movements",
    everyMs: holder === "wallet" ? 15_000 : 45_000,
    async run() {
      const more = await Promise.all(
        ctx.evm.list().map(async (chain) => {
          if (holder === "safe") await findBroughtSafes(ctx, chain);
          const more = [await watchMovements(ctx, chain, holder), await watchCoin(ctx, chain, holder)];
          if (holder === "wallet") await settleLines(ctx, chain);
          return more.includes(true);
        }),
      );
      return more.includes(true) ? "busy" : "idle";
    },
  };
}

/** Once each business day, after its reconciliation: what the books hold, signed, in a folder that the service cannot change. */
export function attestationDuty(
  ctx: Uses<"db" | "evm" | "auditKey" | "log">,
  { folder, onAttested }: { folder: AttestationFolder; onAttested: (at: Date) => void },
): Duty {
  return {
    name: "attestation",
    everyMs: 30_000,
    async run() {
      const newest = await keepAttestations(ctx, folder);
      if (newest !== null) onAttested(newest);
      return "idle";
    },
  };
}

/** What is promised at a rate, for the figures: the sum costs more the more is open, and no readiness check waits for it. */
export function exposureDuty(ctx: Uses<"db">, onRead: (exposures: readonly Exposure[]) => void): Duty {
  return {
    name: "exposure",
    everyMs: 15_000,
    async run() {
      onRead(await listExposures(ctx.db));
      return "idle";
    },
  };
}

/** A pause after a round, so that one transaction brings many confirmations. */
const GATHER_MS = 50;

/** What settlements left on their nodes comes to the coordinator: a confirmation at once, and a creation within about a second. */
function outboxDuty(ctx: Uses<"db">): Duty {
  return {
    name: "outbox",
    channel: "outbox",
    everyMs: 500,
    async run() {
      const { brought, more } = await bringOutbox(ctx);
      if (more) return "busy";
      if (brought > 0) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      return "idle";
    },
  };
}

/** New entries of the audit log get their seals within about a second. */
function sealingDuty(ctx: Uses<"db" | "auditKey">): Duty {
  return {
    name: "audit_seals",
    everyMs: 500,
    run: async () => ((await sealAuditLog(ctx)).sealed === SEALING_BATCH ? "busy" : "idle"),
  };
}

/** The audit log, verified once an hour of real time, however often the sandbox's clock wakes the worker. */
function verificationDuty(ctx: Uses<"db" | "clock" | "log" | "auditKey">): Duty {
  let dueAt = 0;
  return {
    name: "audit_verification",
    everyMs: 60_000,
    async run() {
      const now = ctx.clock.now().getTime();
      if (now < dueAt) return "idle";
      dueAt = now + AGAIN_AFTER_MS;
      dueAt = (await keepAuditLogVerified(ctx)) === null ? 0 : now + VERIFIED_EVERY_MS;
      return "idle";
    },
  };
}

/** Moves expired rows to the archive, batch by batch. */
function retentionDuty(ctx: Uses<"db" | "log">, retention: Retention): Duty {
  return { name: "retention", everyMs: 60_000, run: async () => ((await keepRetention(ctx, retention)).more ? "busy" : "idle") };
}

/** Nonces, stored answers, bodies of refused requests and counters that no longer matter. */
function forgettingDuty(ctx: Uses<"db" | "clock">): Duty {
  return {
    name: "upkeep",
    everyMs: 30_000,
    async run() {
      const spent = await forgetSpentAccess(ctx);
      const refused = await forgetRefusedBodies(ctx);
      const counted = await forgetCounters(ctx);
      return spent.more || refused.more || counted.more ? "busy" : "idle";
    },
  };
}

/** After a rotation of the vault's key: seals what older keys have sealed under the new one. */
function resealDuty(ctx: Uses<"db" | "vault" | "log">): Duty {
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
