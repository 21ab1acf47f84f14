import type { ReconciliationFinding, ReconciliationRow } from "#db/queries/ledger/reconciliations.ts";

type Case = Pick<ReconciliationFinding, "rule" | "subject" | "chain" | "missingBase">;
type Run = Pick<ReconciliationRow, "day" | "findings">;

/**
 * Whether what a reconciliation finds is a case that has not halted its chain yet.
 *
 * A finding with an amount is new where more is missing, be it one base unit, than the newest run found that measured the chain: nothing, where that
 * run does not name the case. A finding without an amount is new where none of the runs names it. A run whose finding is `deferred` has halted
 * nothing, and does not count.
 *
 * @param runs those that are remembered, newest first
 * @returns null where the case is known; else what was last found of it, null where it is found for the first time
 */
export function asNewCase(found: Case, runs: readonly Run[]): { before: (ReconciliationFinding & { day: string }) | null } | null {
  const ofCase = runs.map(({ day, findings }) => {
    const same = findings.find(({ rule, subject }) => rule === found.rule && subject === found.subject);
    return { isMeasured: didMeasure(findings, found.chain), same: same ? { ...same, day } : null };
  });
  const counting = ofCase.filter(({ same }) => same?.deferred !== true);
  if (found.missingBase === undefined) return counting.some(({ same }) => same !== null) ? null : { before: null };
  const before = counting.find(({ isMeasured }) => isMeasured)?.same ?? null;
  // What runs found before this version has no amount: it is no measure of growth.
  const missedBefore = before === null ? 0n : BigInt(before.missingBase ?? 0);
  return BigInt(found.missingBase) > missedBefore ? { before } : null;
}

function didMeasure(findings: readonly ReconciliationFinding[], chain: string | null): boolean {
  return !findings.some(({ rule, subject }) => rule === "chain_was_asked" && subject === chain);
}
