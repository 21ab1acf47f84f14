import type { Database } from "#db/client.ts";
import type { AuditScope, AuditViolation, RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import type { AuditKey, ChainEnd } from "#domain/audit-key.ts";
import { firstId } from "#domain/ids.ts";
import { listMissed, walkAuditChain } from "#server/services/audit/seal-audit-log.ts";

/** The rules and their results. A rule that checked no rows has proved nothing. */
export type AuditReport = { rules: RuleOutcome[]; checked: number; violations: number };

export function reportOf(rules: RuleOutcome[]): AuditReport {
  return {
    rules,
    checked: rules.reduce((sum, { checked }) => sum + checked, 0),
    violations: rules.reduce((sum, { violations }) => sum + violations.length, 0),
  };
}

/** One line for each rule, and one for each violation. */
export function auditLines({ rules, checked, violations }: AuditReport): string[] {
  const lines = rules.flatMap((rule) => [
    `${rule.violations.length === 0 ? "✓" : "✗"} ${rule.rule} (${rule.checked}): ${rule.title}`,
    ...rule.violations.map(({ subject, detail, chain }) => `    ${subject}: ${detail}${chain === null ? "" : ` [${chain}]`}`),
  ]);
  return [...lines, `${rules.length} rules, ${checked} checks, ${violations} violations`];
}

/** Collects what a rule finds while it walks. */
export class Findings {
  readonly violations: AuditViolation[] = [];
  checked = 0;

  check(subject: string, faults: readonly string[], chain: string | null = null): void {
    this.checkAmount(
      subject,
      faults.map((detail) => ({ detail })),
      chain,
    );
  }

  /** The same of faults that may say how much is missing. */
  checkAmount(subject: string, faults: readonly Pick<AuditViolation, "detail" | "missingBase">[], chain: string | null): void {
    this.checked += 1;
    this.violations.push(...faults.map((fault) => ({ subject, ...fault, chain })));
  }

  outcome(rule: string, title: string): RuleOutcome {
    return { rule, title, checked: this.checked, violations: this.violations };
  }
}

/** The audit log itself: every entry is as it was when it was sealed, none is missing, none was inserted. */
export async function auditLogChain(
  db: Database,
  scope: AuditScope,
  { key, anchors }: { key: AuditKey; anchors: readonly ChainEnd[] },
): Promise<RuleOutcome> {
  const walked = await walkAuditChain(db, scope === null ? "" : firstId("audit", scope), key);
  const [checked, flaws] = [walked.checked + anchors.length, [...walked.flaws, ...(await listMissed(db, anchors))]];
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
