import type { AskedLimit } from "#db/queries/exposure/ask-limits.ts";
import type { KeptVerdict } from "#db/queries/holds/payment-holds.ts";
import type { LimitedPayment } from "#domain/exposure-limit.ts";
import { newId } from "#domain/ids.ts";
import { type Counted, countIn, judgeInTurn } from "#domain/limits-in-turn.ts";
import { type Finding, holdingFindings } from "#domain/payment-check.ts";
import type { Settlement } from "#domain/settlement.ts";

/**
 * The limits that a new quote exceeds, usually none (contract, part 10). Nothing is stored or held: the confirmation is judged again.
 * `counted`: what the quotes before it in the same request add; it is added to that.
 */
export function judgeQuoteLimits(limits: readonly AskedLimit[], payment: LimitedPayment, now: Date, counted: Counted): Finding[] {
  const findings = judgeInTurn(limits, payment, now, counted);
  countIn(counted, limits, payment);
  return holdingFindings({ findings }).map(({ charge: _, ...finding }) => finding);
}

/** Why a quote awaits an admin; null: it is beyond no limit. */
export function quoteVerdict({ id: ownerId, partnerId }: Settlement, findings: readonly Finding[], at: Date): KeptVerdict | null {
  if (findings.length === 0) return null;
  const about = { purpose: "settlement", ownerId, partnerId, check: "limit", stage: "quote", outcome: "hold" } as const;
  return { ...about, id: newId("verdict", at), findings, at };
}
