import type { Database } from "#db/client.ts";
import type { Charge } from "#db/queries/exposure/counters.ts";
import { keepJudgement } from "#db/queries/holds/keep-judgement.ts";
import type { KeptVerdict, NewHold, PaymentHold, PaymentOf } from "#db/queries/holds/payment-holds.ts";
import { SYSTEM } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { type Check, type Finding, holdingFindings, holdReason, type Verdict } from "#domain/payment-check.ts";
import { recordHolds } from "./record-holds.ts";

/** A judged payment. `holds`: all its earlier holds in their present state; none for a new payment. */
export type JudgedPayment = PaymentOf & {
  partnerId: string | null;
  verdicts: readonly Verdict[];
  holds: readonly Pick<PaymentHold, "check" | "outcome" | "keys">[];
  /** It was held until now, and by a hold that has just ended. */
  wasHeld?: boolean;
};

/** Whether one of the verdicts holds it. */
export function isHeldBy({ verdicts, holds }: Pick<JudgedPayment, "verdicts" | "holds">): boolean {
  return verdicts.some((verdict) => holdingFindings(verdict, releasedKeys(holds, verdict.check)).length > 0);
}

/**
 * Stores the checks' verdicts on payments, and holds every payment that any check holds, in the caller's transaction. The transfers are
 * queued and locked, or new. A hold that people released is not repeated for the same reason. A verdict without findings is not stored. A
 * held payment counts towards no limit yet.
 *
 * @returns the owners of the payments that are held now
 */
export async function keepVerdicts(tx: Database, judged: readonly JudgedPayment[], now: Date): Promise<Set<string>> {
  const drawn = judged.map((payment) => drawUp(payment, now));
  const holds = drawn.flatMap((one) => one.holds);
  const verdicts = drawn.flatMap((one) => one.verdicts);
  if (verdicts.length === 0) return new Set();
  // The partner does not see the reason, only that its payment waits.
  const entries = holds.map(({ ownerId, check, reason, id, keys }) => ({
    by: SYSTEM,
    partnerId: null,
    action: "payment.held",
    objectId: ownerId,
    reason,
    now,
    change: { check, hold_id: id, keys },
  }));
  await keepJudgement(tx, { verdicts, charges: verdicts.flatMap(chargesOf), holds, entries });
  const held = new Set(holds.map(({ ownerId }) => ownerId));
  const isNew = ({ ownerId, wasHeld = false, holds: before }: JudgedPayment) =>
    held.has(ownerId) && !wasHeld && !before.some(({ outcome }) => outcome === "open");
  await recordHolds(tx, "settlement.held", judged.filter(isNew), now);
  return held;
}

type DrawnUp = { verdicts: KeptVerdict[]; holds: NewHold[] };

function drawUp(payment: JudgedPayment, now: Date): DrawnUp {
  const { purpose, ownerId, partnerId, holds: before } = payment;
  const isHeld = isHeldBy(payment);
  const drawn: DrawnUp = { verdicts: [], holds: [] };
  for (const { check, stage, findings } of payment.verdicts) {
    if (findings.length === 0) continue;
    const holding = holdingFindings({ findings }, releasedKeys(before, check));
    const about = { purpose, ownerId, partnerId, check };
    const id = newId("verdict", now);
    const outcome = holding.length > 0 ? "hold" : "pass";
    drawn.verdicts.push({ ...about, id, stage, outcome, findings: isHeld ? findings.map(uncharged) : findings, at: now });
    if (holding.length === 0) continue;
    const held = { verdictId: id, keys: holding.map(({ key }) => key), reason: holdReason(holding), heldAt: now };
    drawn.holds.push({ ...about, id: newId("hold", now), ...held });
  }
  return drawn;
}

function uncharged({ charge: _, ...finding }: Finding): Finding {
  return finding;
}

function chargesOf({ findings }: KeptVerdict): Charge[] {
  return findings.flatMap(({ key: limitId, charge }) =>
    charge === undefined ? [] : [{ limitId, counter: charge.counter, begins: charge.begins, amountAtto: BigInt(charge.amount) }],
  );
}

/** What people have released a payment from, of one check. */
export function releasedKeys(holds: JudgedPayment["holds"], check: Check): string[] {
  return holds.flatMap((hold) => (hold.check === check && hold.outcome === "released" ? hold.keys : []));
}
