import { z } from "zod";
import { instantParameter, minorAmount, plainText, sayingReference, timestamp } from "#contract/primitives.ts";
import { fiatShown } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import type { Booking } from "#domain/booking.ts";

const AMOUNT = "What was paid, in minor units of the currency";
const REFERENCE = "The bank's own reference of the payment. Each is booked once, for one partner";
const RECEIVED = "When the bank received it; not in the future";

/** What a partner has paid the operator. */
export const partnerPaymentCreateSchema = z.strictObject({
  amount: minorAmount.describe(AMOUNT),
  currency: plainText(1, 16).describe("Fiat currency, ISO 4217"),
  received_at: instantParameter.describe(RECEIVED),
  reference: sayingReference.describe(REFERENCE),
  note: plainText(1, 1_000).optional().describe("Why; kept in the audit log"),
});

export const partnerPaymentSchema = z.object({
  id: z.string().nullable().describe("The booking's id, bk_…; null while it waits for a second person"),
  partner_id: z.string().describe("The partner who paid"),
  amount: z.int().describe(AMOUNT),
  currency: fiatShown,
  received_at: timestamp.describe(RECEIVED),
  reference: z.string().describe(REFERENCE),
  status: z
    .enum(["proposed", "booked", "reversed"])
    .describe("proposed: a second person still has to confirm it; booked: the partner owes that much less; reversed: it was taken back"),
  booked_at: timestamp.nullable().describe("When it was booked"),
  reversed_at: timestamp.nullable().describe("When it was reversed"),
});

type Wire = z.infer<typeof partnerPaymentSchema>;
export type AskedPayment = Pick<Booking, "partnerId" | "amountMinor" | "currency" | "receivedAt" | "reference">;

export function renderPartnerPayment(booking: Booking): Wire {
  const status = booking.reversedAt === null ? "booked" : "reversed";
  return { ...renderAsked(booking), id: booking.id, status, ...toWire(booking, "bookedAt", "reversedAt") };
}

export function renderProposedPayment(asked: AskedPayment): Wire {
  return { id: null, ...renderAsked(asked), status: "proposed", booked_at: null, reversed_at: null };
}

function renderAsked({ partnerId, amountMinor, ...rest }: AskedPayment) {
  return { partner_id: partnerId ?? "", amount: Number(amountMinor), ...toWire(rest, "currency", "receivedAt", "reference") };
}
