import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertQuotes, saveSettlements } from "#db/queries/settlements/write-settlements.ts";
import { inTransaction } from "#db/transaction.ts";
import type { By } from "#domain/access.ts";
import { quoteHasLapsed } from "#domain/lifecycle.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { areTotalsPublishable, type SettlementBatch, shareOf, type TalliedBatch, tallyOf } from "#domain/settlement-batch.ts";
import type { Uses } from "#server/context.ts";
import { quoteSettlements } from "#server/services/settlements/quote-settlements.ts";
import { sumTooLarge } from "./create-batch.ts";
import { ItemFaults } from "./item-faults.ts";
import { lockExistingBatch, lockItems, talliedWith, wrongState } from "./lock-items.ts";

/**
 * Gives every item whose quote has run out a new one, at the present rate and terms (contract, part 11). An approval stays: it is of the
 * amounts and the recipients.
 *
 * @throws Refusal `batch_not_found`, `invalid_state` once it was confirmed or cancelled, or where the present terms, limits or policy ask
 * for an approval that it does not await; otherwise as a new batch.
 */
export async function requoteBatch(
  ctx: Uses<"db" | "chains">,
  { id, partnerId, by }: { id: string; partnerId: string; by: By },
): Promise<TalliedBatch> {
  return await inTransaction(ctx.db, async (tx) => {
    const batch = await lockExistingBatch(tx, { id, partnerId });
    if (batch.status !== "quoted") throw wrongState(batch);
    const { items, now } = await lockItems(tx, batch);
    const lapsed = items.filter((item) => quoteHasLapsed(item, now));
    if (lapsed.length === 0) return talliedWith(batch, items);
    const requoted = await requote({ ...ctx, db: tx }, batch, items, { by, now });
    const changed = requoted.filter(({ id: itemId }) => lapsed.some((item) => item.id === itemId));
    const written = changed.map((settlement) => {
      const change = { quote_version: settlement.quote.version, expires_at: settlement.quote.expiresAt.toISOString() };
      // No event: a quote's new price is none of the contract's types.
      return { settlement, entry: { by, partnerId, action: "settlement.requoted", objectId: settlement.id, change, now }, event: null };
    });
    await saveSettlements(tx, written);
    await insertQuotes(tx, changed);
    await insertAuditEntry(tx, { by, partnerId, action: "batch.requoted", objectId: id, change: { items: changed.length }, now });
    return talliedWith(batch, requoted);
  });
}

/** All items, those whose quote has run out with a new one. */
async function requote(
  ctx: Uses<"db" | "chains">,
  batch: SettlementBatch,
  items: readonly Settlement[],
  { by, now }: { by: By; now: Date },
): Promise<Settlement[]> {
  const commands = items.map((item) => ({
    ...item,
    by,
    callbackUrl: item.creationCallbackUrl,
    batchId: batch.id,
    isApproved: item.approvalState === "approved",
  }));
  const quoted = await quoteSettlements(ctx, commands, { items: new ItemFaults(), isTogether: true });
  const requoted = items.map((item, index) => {
    const quote = quoted[index]?.settlement.quote;
    return quote === undefined || !quoteHasLapsed(item, now) ? item : { ...item, quote: { ...quote, version: item.quote.version + 1 } };
  });
  const mustWait = quoted.some(({ settlement }) => settlement.approvalState !== null);
  if (mustWait && items.some(({ approvalState }) => approvalState === null)) throw mustBeMadeAgain(batch);
  if (!areTotalsPublishable(tallyOf(requoted.map(shareOf)).totals)) throw sumTooLarge();
  return requoted;
}

function mustBeMadeAgain({ status }: SettlementBatch): Refusal {
  return new Refusal("invalid_state", {
    detail: "At the present terms this batch would await an approval. Create it again.",
    members: { batch_status: status },
  });
}
