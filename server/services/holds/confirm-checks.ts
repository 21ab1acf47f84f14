import type { Database } from "#db/client.ts";
import type { LockedSettlement } from "#db/queries/settlements/settlements.ts";
import type { By } from "#domain/access.ts";
import type { Check, Finding, Verdict } from "#domain/payment-check.ts";

/** A settlement that is being confirmed, as it is known before its row is held. */
export type Confirmation = { settlementId: string; partnerId: string; by: By };

/**
 * One kind of check, as a confirmation asks it. `ask` is sent right behind the statement that holds the settlement's row, in the same round
 * trip: it may lock and read, with statements that do not wait for one another, and for nobody's network. What it answers judges the
 * settlement once that was read; no findings: the check has nothing to say.
 */
export type ConfirmCheck = {
  check: Check;
  ask(tx: Database, confirmation: Confirmation): Promise<(held: LockedSettlement) => readonly Finding[]>;
};

/** Every check that is asked at a confirmation. */
export const CONFIRM_CHECKS: readonly ConfirmCheck[] = [];

/** What each check says of it. A guaranteed settlement never fails by that: it is confirmed, and waits. */
export async function askAtConfirm(tx: Database, confirmation: Confirmation): Promise<(held: LockedSettlement) => Verdict[]> {
  const judges = await Promise.all(CONFIRM_CHECKS.map(async ({ check, ask }) => ({ check, judge: await ask(tx, confirmation) })));
  return (held) => judges.map(({ check, judge }) => ({ check, stage: "confirm", findings: judge(held) }));
}
