import type { Database } from "#db/client.ts";
import type { LockedSettlement } from "#db/queries/settlements/settlements.ts";
import type { Verdict } from "#domain/payment-check.ts";
import { LIMITS_AT_CONFIRM } from "#server/services/exposure/judge-limits.ts";
import type { Confirmation, ConfirmCheck } from "./check-kinds.ts";

/** Every check that is asked at a confirmation. */
export const CONFIRM_CHECKS: readonly ConfirmCheck[] = [LIMITS_AT_CONFIRM];

/** What each check says of it. A guaranteed settlement never fails by that: it is confirmed, and waits. */
export async function askAtConfirm(tx: Database, confirmation: Confirmation): Promise<(held: LockedSettlement) => Verdict[]> {
  const judges = await Promise.all(CONFIRM_CHECKS.map(async ({ check, ask }) => ({ check, judge: await ask(tx, confirmation) })));
  return (held) => judges.map(({ check, judge }) => ({ check, stage: "confirm", findings: judge(held) }));
}
