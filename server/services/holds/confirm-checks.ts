import type { ToConfirm } from "#db/queries/settlements/lock-to-confirm.ts";
import type { Counted } from "#domain/limits-in-turn.ts";
import type { Verdict } from "#domain/payment-check.ts";
import type { ConfirmCheck } from "./check-kinds.ts";
import { LIMITS_AT_CONFIRM } from "./limit-check.ts";

/** Every check at a confirmation. */
export const CONFIRM_CHECKS: readonly ConfirmCheck[] = [LIMITS_AT_CONFIRM];

/** The findings of each check on a confirmed settlement. They never fail a guaranteed settlement: it is confirmed, and waits. */
export function verdictsAtConfirm(locked: ToConfirm, counted: Counted): Verdict[] {
  return CONFIRM_CHECKS.map(({ check, judge }) => ({ check, stage: "confirm", findings: judge(locked, counted) }));
}
