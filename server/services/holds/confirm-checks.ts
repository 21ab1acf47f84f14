import type { Database } from "#db/client.ts";
import type { LockedSettlement } from "#db/queries/settlements/settlements.ts";
import type { Verdict } from "#domain/payment-check.ts";
import type { Confirmation, ConfirmCheck } from "./check-kinds.ts";
import { isHeldBy } from "./keep-verdicts.ts";
import { LIMITS_AT_CONFIRM } from "./limit-check.ts";

/** Every check that is asked at a confirmation. */
export const CONFIRM_CHECKS: readonly ConfirmCheck[] = [LIMITS_AT_CONFIRM];

/**
 * What each check says of a settlement that is confirmed, to be asked in turn. `more`: what was said of it elsewhere. A guaranteed settlement
 * never fails by any of it: it is confirmed, and waits.
 */
export async function askAtConfirm(
  tx: Database,
  confirmations: readonly Confirmation[],
): Promise<(held: LockedSettlement, more: readonly Verdict[]) => Verdict[]> {
  const judges = await Promise.all(CONFIRM_CHECKS.map(async ({ check, ask }) => ({ check, ...(await ask(tx, confirmations)) })));
  return (held, more) => {
    const said = judges.map(({ check, judge, count }) => ({ count, verdict: { check, stage: "confirm" as const, findings: judge(held) } }));
    const verdicts = [...said.map(({ verdict }) => verdict), ...more];
    const isHeld = isHeldBy({ verdicts, holds: [] });
    for (const { count, verdict } of said) count(held, verdict.findings, isHeld);
    return verdicts;
  };
}
