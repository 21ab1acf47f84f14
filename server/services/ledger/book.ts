import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { changePoolTotal, lockPool } from "#db/queries/fiat/fiat-pools.ts";
import { findBooking, insertBooking, listBookingsByReference, markReversed } from "#db/queries/ledger/bookings.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { listPartnerNames } from "#db/queries/partners/partners.ts";
import type { By } from "#domain/access.ts";
import { type Booking, bookedEntry, isDeclared, isSameBooking, type NewBooking, poolChange, reversedEntry } from "#domain/booking.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { availableMinor } from "#domain/fiat.ts";
import { newId } from "#domain/ids.ts";
import type { LedgerEntry } from "#domain/ledger.ts";
import { fiatAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";

/** `repeated`: it was booked before, with these very values. */
export type Booked = { booking: Booking; repeated: boolean };
export type BookingOrder = { by: By; reason: string | null /** Who proposed it. */; askedBy: string; now: Date };

/**
 * Books movements in the caller's transaction, each once by its kind and reference: all of them, or none.
 *
 * @throws Refusal `not_found` without that partner or pool, `conflict` when a reference is booked with other values, `validation_failed` for
 * money of the future, `insufficient_liquidity` when a pool has promised what would be gone
 */
export async function book(tx: Database, items: readonly NewBooking[], order: BookingOrder): Promise<Booked[]> {
  const ids = [...new Set(items.flatMap(({ partnerId }) => partnerId ?? []))];
  const names = await listPartnerNames(tx, ids);
  if (names.size < ids.length) throw new Refusal("not_found", { detail: "There is no such partner." });
  // Always in one order: of two files with the same lines, one waits for the other.
  const done = new Map<NewBooking, Booked>();
  for (const item of items.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))) done.set(item, await bookOne(tx, item, order));
  return items.flatMap((item) => done.get(item) ?? []);
}

async function bookOne(tx: Database, item: NewBooking, order: BookingOrder): Promise<Booked> {
  const { kind, reference } = item;
  const { now } = order;
  refuseUnsound(item, now);
  const booking: Booking = { ...item, id: newId("booking", now), bookedAt: now, reversedAt: null };
  if (!(await insertBooking(tx, booking))) {
    const [stored] = await listBookingsByReference(tx, kind, [reference]);
    if (stored !== undefined && isSameBooking(stored, item)) return { booking: stored, repeated: true };
    throw new Refusal("conflict", { detail: `${reference} is booked already, with other values.` });
  }
  await post(tx, bookedEntry(booking), booking, now);
  await audit(tx, "booking.made", booking, order);
  return { booking, repeated: false };
}

/**
 * Reverses a booking in full, in the caller's transaction. Its reference can be booked again then.
 *
 * @throws Refusal `not_found`, `invalid_state` when it is reversed already or people did not declare it, `insufficient_liquidity`
 */
export async function reverse(tx: Database, id: string, order: BookingOrder): Promise<Booking> {
  await findDeclared(tx, id);
  const booking = await markReversed(tx, id, order.now);
  if (booking === null) throw new Refusal("invalid_state", { detail: "This booking is reversed already." });
  await post(tx, reversedEntry(booking), booking, order.now);
  await audit(tx, "booking.reversed", booking, order);
  return booking;
}

/** A booking that people may reverse. @throws Refusal `not_found`, `invalid_state` */
export async function findDeclared(db: Database, id: string): Promise<Booking> {
  const booking = await findBooking(db, id);
  if (booking === null) throw new Refusal("not_found", { detail: "There is no such booking." });
  if (!isDeclared(booking.kind)) throw new Refusal("invalid_state", { detail: "This booking follows from a top-up, which decides it." });
  return booking;
}

/** Writes the entry, and changes the pool's own row with it. */
async function post(tx: Database, entry: LedgerEntry, { currency }: Booking, now: Date): Promise<void> {
  const change = poolChange(entry);
  if (change !== 0n) {
    const pool = await lockPool(tx, currency);
    // As when a top-up is collected: a currency that is only collected may be without a pool.
    if (pool === null && change < 0n) throw new Refusal("not_found", { detail: `There is no pool of ${currency}.` });
    if (pool !== null && availableMinor(pool) + change < 0n)
      throw new Refusal("insufficient_liquidity", { detail: `Only ${availableMinor(pool)} of the ${currency} pool is not reserved.` });
    await changePoolTotal(tx, currency, change, now);
  }
  await insertLedgerEntry(tx, entry, now);
}

/** @throws Refusal `validation_failed` for no currency, nothing, or money of the future */
export function refuseUnsound({ currency, amountMinor, reference, receivedAt }: NewBooking, now: Date): void {
  const refuse = (pointer: string, message: string) =>
    new Refusal("validation_failed", { detail: `${reference}: ${message}.`, errors: [{ pointer, code: "invalid_value", message }] });
  if (findFiatCurrency(currency) === null) throw refuse("/currency", "must be an ISO 4217 code in capitals");
  if (amountMinor <= 0n) throw refuse("/amount", "must be more than nothing");
  if (receivedAt.getTime() > now.getTime()) throw refuse("/received_at", "must not be in the future");
}

async function audit(
  tx: Database,
  action: string,
  { id: objectId, kind, partnerId, amountMinor, currency, reference, orderId }: Booking,
  { by, reason, askedBy, now }: BookingOrder,
): Promise<void> {
  const change = { kind, amount: fiatAmount(amountMinor, currency), currency, reference, order_id: orderId, asked_by: askedBy };
  await insertAuditEntry(tx, { by, partnerId, action, objectId, reason, change, now });
}

function nameOf({ kind, reference }: NewBooking): string {
  return `${kind} ${reference}`;
}
