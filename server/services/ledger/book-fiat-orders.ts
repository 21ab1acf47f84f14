import type { Database } from "#db/client.ts";
import { listBookingsByReference } from "#db/queries/ledger/bookings.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type By, SYSTEM } from "#domain/access.ts";
import type { NewBooking } from "#domain/booking.ts";
import type { StatedOrder, StatementRow } from "#domain/provider-statement.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Topup } from "#domain/topup.ts";
import { book } from "./book.ts";

/** Orders whose costs are booked now, have another cost in the books, or cost what the pool has promised. */
export type StatedCosts = { booked: number; differing: string[]; unbooked: string[] };

/** Books what a provider took for orders, according to its statement: once for each order, whenever the statement is read. */
export async function bookStatedCosts(tx: Database, stated: readonly { order: StatedOrder; rows: StatementRow[] }[]): Promise<StatedCosts> {
  const costs = stated.flatMap(({ order, rows }) => {
    const feeMinor = rows.reduce((sum, row) => sum + (row.feeMinor ?? 0n), 0n);
    return feeMinor > 0n ? [{ order, feeMinor }] : [];
  });
  const ids = costs.map(({ order }) => order.id);
  const before = new Map(
    (await listBookingsByReference(tx, "provider_cost", ids)).map((booking) => [booking.reference, booking.amountMinor]),
  );
  const now = await readBusinessNow(tx);
  const result: StatedCosts = { booked: 0, differing: [], unbooked: [] };
  for (const { order, feeMinor } of costs.toSorted((one, other) => (one.order.id < other.order.id ? -1 : 1))) {
    const { id: orderId, currency } = order;
    const booked = before.get(orderId);
    if (booked !== undefined) {
      if (booked !== feeMinor) result.differing.push(orderId);
      continue;
    }
    const cost = {
      kind: "provider_cost",
      partnerId: null,
      currency,
      amountMinor: feeMinor,
      reference: orderId,
      orderId,
      receivedAt: now,
    } as const;
    if (await isBooked(tx, cost, now)) result.booked += 1;
    else result.unbooked.push(orderId);
  }
  return result;
}

/** False, and nothing is changed, where the pool has promised what the cost would take. */
async function isBooked(tx: Database, cost: NewBooking, now: Date): Promise<boolean> {
  try {
    await tx.transaction((inner) => book(inner, [cost], { by: SYSTEM, reason: null, askedBy: "statement", now }));
    return true;
  } catch (error) {
    if (isRefusal(error) && (error.code === "insufficient_liquidity" || error.code === "not_found")) return false;
    throw error;
  }
}

/** A top-up that was paid after it had expired. */
export type PaidLate = Pick<Topup, "id" | "partnerId" | "currency" | "amountMinor"> & { latePaidAt: Date };

/** Books what became of a late payment: it came and went, or it stays and is owed to the partner. */
export async function bookLatePayment(
  tx: Database,
  { id, partnerId, currency, amountMinor, latePaidAt: receivedAt }: PaidLate,
  { refunded, ...order }: { by: By; reason: string | null; askedBy: string; refunded: boolean },
): Promise<void> {
  const about = { currency, amountMinor, reference: id, orderId: id, receivedAt };
  const item: NewBooking = refunded ? { kind: "late_refund", partnerId: null, ...about } : { kind: "late_credit", partnerId, ...about };
  await book(tx, [item], { ...order, now: await readBusinessNow(tx) });
}
