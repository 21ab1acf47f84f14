import type { Database } from "#db/client.ts";
import type { AuditScope, RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { firstId } from "#domain/ids.ts";
import { walkAuditChain } from "#server/services/audit/walk-audit-chain.ts";

/** The audit log itself: every entry is as it was when it was sealed, none is gone, none was put there since. */
export async function auditLogChain(tx: Database, scope: AuditScope): Promise<RuleOutcome> {
  const { checked, flaws } = await walkAuditChain(tx, scope === null ? "" : firstId("audit", scope));
  return {
    rule: "audit_log_is_sealed",
    title: "every entry of the audit log is as it was when it was sealed, none is gone, and none was put there past the service",
    checked,
    violations: flaws.map(({ seq, entryId, flaw }) => ({
      subject: entryId ?? `seal #${seq}`,
      detail: seq === null || entryId === null ? flaw : `#${seq}: ${flaw}`,
      chain: null,
    })),
  };
}
