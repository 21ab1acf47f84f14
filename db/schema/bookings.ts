import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, minorUnits } from "#db/columns.ts";
import { BOOKING_KINDS } from "#domain/booking.ts";
import { partners } from "./partners.ts";

/** Movements of fiat that no order caused: partners' payments, costs, losses. Nothing changes but that one is reversed, once. */
export const bookings = pgTable(
  "bookings",
  {
    id: text().primaryKey(),
    kind: text({ enum: BOOKING_KINDS }).notNull(),
    partnerId: uuid().references(() => partners.id),
    currency: text().notNull(),
    amountMinor: minorUnits().notNull(),
    reference: text().notNull(),
    orderId: text(),
    /** When the money moved, according to the bank or the provider. */
    receivedAt: instant().notNull(),
    /** Business time. */
    bookedAt: instant().notNull(),
    reversedAt: instant(),
  },
  (table) => [
    // A bank's line is booked once. After a reversal it can be booked again, for another partner.
    uniqueIndex("bookings_once").on(table.kind, table.reference).where(sql`reversed_at is null`),
    index("bookings_of_partner").on(table.partnerId, table.id).where(sql`partner_id is not null`),
    check("bookings_amount", sql`${table.amountMinor} > 0`),
    check(
      "bookings_partner",
      sql`(${table.kind} in ('partner_payment', 'partner_payout', 'late_credit')) = (${table.partnerId} is not null)`,
    ),
  ],
);
