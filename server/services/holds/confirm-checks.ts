import type { ToConfirm } from "#db/queries/settlements/lock-to-confirm.ts";
import type { Counted } from "#domain/limits-in-turn.ts";
import type { Verdict } from "#domain/payment-check.ts";
import type { ConfirmCheck } from "./check-kinds.ts";
import { LIMITS_AT_CONFIRM } from "./limit-check.ts";

/** Every check at a confirmation. */
export const CONFIRM_CHECKS: readonly ConfirmCheck[] = [LIMITS_AT_CONFIRM];

/**
 * What the limits say of a settlement that is being confirmed. `counted`: what the payments before it use of each limit; this payment is
 * added unless a limit holds it. No verdict refuses: the settlement is confirmed, and its payment waits.
 */
export function limitVerdicts(locked: ToConfirm, counted: Counted): Verdict[] {
  return CONFIRM_CHECKS.map(({ check, judge }) => ({ check, stage: "confirm", findings: judge(locked, counted) }));
}
