import type { ReconciliationFinding, ReconciliationRow } from "#db/queries/ledger/reconciliations.ts";

type Case = Pick<ReconciliationFinding, "rule" | "subject" | "chain" | "missingBase">;
type Run = Pick<ReconciliationRow, "day" | "findings">;

/**
 * Whether a reconciliation's finding is a case that has not halted its chain yet.
 *
 * A finding with an amount is new if more is missing, by even one base unit, than in the newest run that measured the chain; a run that
 * does not name the case counts as zero. A finding without an amount is new if no run names it. A run whose finding is `deferred` has
 * halted nothing, and does not count.
 *
 * @param runs the remembered runs, newest first
 * @returns null where the case is known; else its last finding, or null in it where this is the first
 */
export function asNewCase(found: Case, runs: readonly Run[]): { before: (ReconciliationFinding & { day: string }) | null } | null {
  const ofCase = runs.map(({ day, findings }) => {
    const same = findings.find(({ rule, subject }) => rule === found.rule && subject === found.subject);
    return { isMeasured: didMeasure(findings, found.chain), same: same ? { ...same, day } : null };
  });
  const counting = ofCase.filter(({ same }) => same?.deferred !== true);
  if (found.missingBase === undefined) return counting.some(({ same }) => same !== null) ? null : { before: null };
  const before = counting.find(({ isMeasured }) => isMeasured)?.same ?? null;
  // Findings of runs before this version have no amount, so they cannot show growth.
  const missedBefore = before === null ? 0n : BigInt(before.missingBase ?? 0);
  return BigInt(found.missingBase) > missedBefore ? { before } : null;
}

function didMeasure(findings: readonly ReconciliationFinding[], chain: string | null): boolean {
  return !findings.some(({ rule, subject }) => rule === "chain_was_asked" && subject === chain);
}
