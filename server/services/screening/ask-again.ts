import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { decideHolds, listHoldsOf, lockOpenHolds } from "#db/queries/holds/payment-holds.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type HoldPlace, listUnansweredHolds, type UnansweredHold } from "#db/queries/screening/unanswered-holds.ts";
import { lockTransfer } from "#db/queries/transfers/transfers.ts";
import { SYSTEM } from "#domain/access.ts";
import { holdingFindings } from "#domain/payment-check.ts";
import { type Screening, screeningFindings } from "#domain/screening.ts";
import type { Uses } from "#server/context.ts";
import { isHeldBy, keepVerdicts } from "#server/services/holds/keep-verdicts.ts";
import { unholdPayment } from "#server/services/holds/record-holds.ts";

const BATCH = 200;

/**
 * Screens payments again that are held because a source did not answer. If the recipient is clear, the payment continues; if it is listed,
 * people decide. `after`: where the last round ended.
 *
 * @returns where this round ended; null: it was the last
 */
export async function askUnansweredAgain(ctx: Uses<"db" | "screener" | "log">, after: HoldPlace | null): Promise<HoldPlace | null> {
  if (!ctx.screener.isOn) return null;
  const holds = await listUnansweredHolds(ctx.db, after, BATCH);
  const screenings = await ctx.screener.screen(
    holds.map(({ destination }) => destination),
    "sign",
  );
  for (const [index, hold] of holds.entries()) {
    const screening = screenings[index];
    if (screening === undefined || !isAnother(hold, screening)) continue;
    const isDecided = await ctx.db.transaction((tx) => decide(tx, hold, screening));
    if (isDecided)
      ctx.log.info({ owner_id: hold.ownerId, outcome: screening.outcome }, "a payment that waited for a screening has its answer");
  }
  const last = holds.at(-1);
  return holds.length < BATCH || last === undefined ? null : { heldAt: last.heldAt, id: last.id };
}

/** Whether the reason to hold it has changed. */
function isAnother({ keys }: UnansweredHold, screening: Screening): boolean {
  const now = holdingFindings({ findings: screeningFindings(screening) }).map(({ key }) => key);
  return now.length !== keys.length || now.some((key) => !keys.includes(key));
}

/**
 * The hold ends with the answer, which is stored; a new hold replaces it if the answer holds the payment too. False: people were faster.
 */
async function decide(tx: Database, { id, transferId, ...hold }: UnansweredHold, screening: Screening): Promise<boolean> {
  const transfer = await lockTransfer(tx, transferId);
  const open = await lockOpenHolds(tx, hold);
  if (transfer?.state !== "queued" || !open.some((one) => one.id === id)) return false;
  const now = await readBusinessNow(tx);
  await decideHolds(tx, [id], "ended", { at: now, by: null, reason: null });
  const { purpose, ownerId, partnerId } = hold;
  const verdicts = [{ check: "screening" as const, stage: "sign" as const, findings: screeningFindings(screening) }];
  const payment = { purpose, ownerId, partnerId, verdicts, holds: await listHoldsOf(tx, [ownerId]), wasHeld: true };
  await keepVerdicts(tx, [payment], now);
  const change = { transfer_id: transferId, outcome: screening.outcome };
  await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "payment.screened", objectId: ownerId, change, now });
  if (open.length === 1 && !isHeldBy(payment)) await unholdPayment(tx, transfer, now);
  return true;
}
