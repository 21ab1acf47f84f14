import type { Database } from "#db/client.ts";
import { listItems, lockBatch } from "#db/queries/settlements/batches.ts";
import { type LockedSettlement, lockForChange } from "#db/queries/settlements/settlements.ts";
import { compare, type Decimal, formatDecimal } from "#domain/decimal.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { destinationTotals, type SettlementBatch, shareOf, type TalliedBatch, tallyOf } from "#domain/settlement-batch.ts";

/**
 * Locks a batch; with a partner, only that partner's. A change of a quoted item locks its batch first.
 *
 * @throws Refusal `batch_not_found`, for a foreign id just as for one that never existed.
 */
export async function lockExistingBatch(tx: Database, { id, partnerId }: { id: string; partnerId?: string }): Promise<SettlementBatch> {
  const batch = isId("batch", id) ? await lockBatch(tx, id, partnerId) : null;
  if (batch === null) throw new Refusal("batch_not_found");
  return batch;
}

/** Locks the items of a locked batch, in their order. `now`: read once all are locked. */
export async function lockItems(tx: Database, batch: SettlementBatch): Promise<{ items: Settlement[]; now: Date }> {
  const { partnerId } = batch;
  const listed = await listItems(tx, batch);
  const locked: LockedSettlement[] = [
    ...(
      await lockForChange(
        tx,
        listed.map(({ id }) => ({ id, partnerId })),
      )
    ).values(),
  ];
  const [first] = locked;
  if (first === undefined) throw new Error(`the batch ${batch.id} has no items`);
  return { items: locked.map(({ settlement }) => settlement), now: first.now };
}

/** A batch with what these items, which are all of its items, come to. */
export function talliedWith(batch: SettlementBatch, items: readonly Settlement[]): TalliedBatch {
  return { ...batch, ...tallyOf(items.map(shareOf)) };
}

/** What each destination currency comes to, as a refusal shows it. */
export function totalsOf(items: readonly Settlement[]): Map<string, Decimal> {
  return destinationTotals(tallyOf(items.map(shareOf)).totals);
}

export function isSameTotal(left: ReadonlyMap<string, Decimal>, right: ReadonlyMap<string, Decimal>): boolean {
  return left.size === right.size && [...left].every(([currency, amount]) => compare(right.get(currency) ?? NOTHING, amount) === 0);
}

const NOTHING: Decimal = { coefficient: 0n, scale: 0 };

/** The member `current_total` of a refusal: numbers, as `expected_total` has them. */
export function writeTotals(totals: ReadonlyMap<string, Decimal>): Record<string, number> {
  return Object.fromEntries([...totals].map(([currency, amount]) => [currency, Number(formatDecimal(amount))]));
}

/** @throws Refusal `invalid_state` */
export function wrongState({ status }: SettlementBatch): Refusal {
  return new Refusal("invalid_state", { detail: `The batch is ${status}.`, members: { batch_status: status } });
}
