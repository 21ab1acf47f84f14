import type { Uses } from "#server/context.ts";
import { SEALING_BATCH, sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import { verifyAuditLog } from "#server/services/audit/verify-audit-log.ts";
import type { Duty } from "./loop.ts";

const HOUR_MS = 3_600_000;

/** New entries of the audit log get their seals within about a second. */
export function sealingDuty(ctx: Uses<"db">): Duty {
  return {
    name: "audit_seals",
    everyMs: 500,
    run: async () => ((await sealAuditLog(ctx)).sealed === SEALING_BATCH ? "busy" : "idle"),
  };
}

/** The whole audit log, computed anew once an hour of real time, however often the sandbox's clock wakes the worker. */
export function verificationDuty(ctx: Uses<"db" | "clock" | "log">): Duty {
  let dueAt = 0;
  return {
    name: "audit_verification",
    everyMs: 60_000,
    async run() {
      const now = ctx.clock.now().getTime();
      if (now < dueAt) return "idle";
      const { seq } = await verifyAuditLog(ctx, { userId: null });
      if (seq > 0) dueAt = now + HOUR_MS;
      return "idle";
    },
  };
}
