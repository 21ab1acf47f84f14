import { expect } from "vitest";
import { type Audited, type AuditOptions, auditDatabase } from "#server/services/ledger/audit-database.ts";
import { auditLines } from "#server/services/ledger/audit-report.ts";

/** Where a test ends transfers directly, they never had a transaction. */
export const WITHOUT_CHAIN = ["transfer_has_one_transaction", "transfer_hash_is_an_attempt"];

/** For the end of a suite: whatever it did, every rule about money and callbacks must hold over its database (and chain, if any). */
export async function expectCleanAudit(ctx: Audited, options: AuditOptions = {}): Promise<void> {
  const report = await auditDatabase(ctx, options);
  expect(auditLines(report).filter((line) => !line.startsWith("✓"))).toEqual([
    `${report.rules.length} rules, ${report.checked} checks, 0 violations`,
  ]);
}
