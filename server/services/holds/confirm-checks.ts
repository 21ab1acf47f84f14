import type { ToConfirm } from "#db/queries/settlements/lock-to-confirm.ts";
import type { Verdict } from "#domain/payment-check.ts";
import type { ConfirmCheck } from "./check-kinds.ts";
import { LIMITS_AT_CONFIRM } from "./limit-check.ts";

/** Every check that is asked at a confirmation. */
export const CONFIRM_CHECKS: readonly ConfirmCheck[] = [LIMITS_AT_CONFIRM];

/** What each check says of a settlement that is confirmed. A guaranteed settlement never fails by any of it: it is confirmed, and waits. */
export function verdictsAtConfirm(held: ToConfirm): Verdict[] {
  return CONFIRM_CHECKS.map(({ check, judge }) => ({ check, stage: "confirm", findings: judge(held) }));
}
