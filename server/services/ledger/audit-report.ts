import type { AuditViolation, RuleOutcome } from "#db/queries/audit/rules/rule.ts";

/** What was asked and found: a rule that nothing was checked by has shown nothing. */
export type AuditReport = { rules: RuleOutcome[]; checked: number; violations: number };

export function reportOf(rules: RuleOutcome[]): AuditReport {
  return {
    rules,
    checked: rules.reduce((sum, { checked }) => sum + checked, 0),
    violations: rules.reduce((sum, { violations }) => sum + violations.length, 0),
  };
}

/** One line for each rule, and one for each case where it does not hold. */
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
    this.checked += 1;
    this.violations.push(...faults.map((detail) => ({ subject, detail, chain })));
  }

  outcome(rule: string, title: string): RuleOutcome {
    return { rule, title, checked: this.checked, violations: this.violations };
  }
}
