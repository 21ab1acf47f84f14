import type { Database } from "#db/client.ts";
import type { AskedLimit } from "#db/queries/exposure/ask-limits.ts";
import { insertVerdicts } from "#db/queries/holds/payment-holds.ts";
import { judgeLimit, type LimitedPayment } from "#domain/exposure-limit.ts";
import { newId } from "#domain/ids.ts";
import { type Finding, holdingFindings } from "#domain/payment-check.ts";
import type { Settlement } from "#domain/settlement.ts";

/**
 * What limits say of a quote once its price is known: those that it is beyond, none as a rule (contract, part 10). Nothing is counted and
 * nothing held: the confirmation is judged anew.
 */
export function judgeQuoteLimits(limits: readonly AskedLimit[], payment: LimitedPayment, now: Date): Finding[] {
  const findings = limits.map((limit) => judgeLimit(limit, payment, now));
  return holdingFindings({ findings }).map(({ charge: _, ...finding }) => finding);
}

/** Keeps why a quote awaits an admin. */
export async function keepQuoteVerdict(
  tx: Database,
  { id, partnerId }: Settlement,
  findings: readonly Finding[],
  now: Date,
): Promise<void> {
  if (findings.length === 0) return;
  const about = { purpose: "settlement", ownerId: id, partnerId, check: "limit", stage: "quote", outcome: "hold" } as const;
  await insertVerdicts(tx, [{ ...about, id: newId("verdict", now), findings, at: now }]);
}
