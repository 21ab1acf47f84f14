import { and, asc, desc, eq, gt, inArray, isNull } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { bookings } from "#db/schema/bookings.ts";
import type { Booking, BookingKind } from "#domain/booking.ts";

/** False, and nothing is added, while another one of its kind has its reference. Waits for one that is being booked at the same time. */
export async function insertBooking(tx: Database, booking: Booking): Promise<boolean> {
  const { count } = await tx.insert(bookings).values(booking).onConflictDoNothing();
  return count === 1;
}

/** Those of one kind with these references that are not reversed. */
export async function listBookingsByReference(db: Database, kind: BookingKind, references: readonly string[]): Promise<Booking[]> {
  if (references.length === 0) return [];
  return await db
    .select()
    .from(bookings)
    .where(and(eq(bookings.kind, kind), inArray(bookings.reference, [...references]), isNull(bookings.reversedAt)));
}

export async function findBooking(db: Database, id: string): Promise<Booking | null> {
  const [row] = await db.select().from(bookings).where(eq(bookings.id, id));
  return row ?? null;
}

/** Marks a booking as reversed. Null: it is not there, or was reversed before. */
export async function markReversed(tx: Database, id: string, now: Date): Promise<Booking | null> {
  const [row] = await tx
    .update(bookings)
    .set({ reversedAt: now })
    .where(and(eq(bookings.id, id), isNull(bookings.reversedAt)))
    .returning();
  return row ?? null;
}

/** The newest bookings of a partner, or of the operator's own accounts (null). */
export async function listBookings(db: Database, partnerId: string | null, limit: number): Promise<Booking[]> {
  return await db
    .select()
    .from(bookings)
    .where(partnerId === null ? isNull(bookings.partnerId) : eq(bookings.partnerId, partnerId))
    .orderBy(desc(bookings.id))
    .limit(limit);
}

/** The bookings after one, in order of their ids. */
export async function listBookingsAfter(db: Database, after: string, limit: number): Promise<Booking[]> {
  return await db.select().from(bookings).where(gt(bookings.id, after)).orderBy(asc(bookings.id)).limit(limit);
}
