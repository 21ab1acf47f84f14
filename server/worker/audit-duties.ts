import type { Uses } from "#server/context.ts";
import { keepAuditLogVerified, VERIFIED_EVERY_MS } from "#server/services/audit/keep-audit-log-verified.ts";
import { SEALING_BATCH, sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import type { Duty } from "./loop.ts";

/** After one that failed: what cannot be done just now is not tried over and over. */
const AGAIN_AFTER_MS = 600_000;

/** New entries of the audit log get their seals within about a second. */
export function sealingDuty(ctx: Uses<"db">): Duty {
  return {
    name: "audit_seals",
    everyMs: 500,
    run: async () => ((await sealAuditLog(ctx)).sealed === SEALING_BATCH ? "busy" : "idle"),
  };
}

/** The audit log, verified once an hour of real time, however often the sandbox's clock wakes the worker. */
export function verificationDuty(ctx: Uses<"db" | "clock" | "log">): Duty {
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
