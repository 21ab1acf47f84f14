import { z } from "zod";
import { instantParameter, minorAmount, plainText, sayingReference, timestamp } from "#contract/primitives.ts";
import { fiatShown } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import type { Booking } from "#domain/booking.ts";

const AMOUNT = "The amount that was paid, in minor units of currency";
const REFERENCE = "The bank's own reference of the payment. Each reference is booked only once, for one partner";
const RECEIVED = "When the bank received the payment. It cannot be in the future";

/** What a partner has paid the operator. */
export const partnerPaymentCreateSchema = z.strictObject({
  amount: minorAmount.describe(AMOUNT),
  currency: plainText(1, 16).describe("The fiat currency as an ISO 4217 code, such as KES"),
  received_at: instantParameter.describe(RECEIVED),
  reference: sayingReference.describe(REFERENCE),
  note: plainText(1, 1_000).optional().describe("A note for the audit log"),
});

export const partnerPaymentSchema = z.object({
  id: z.string().nullable().describe("The booking's id. It begins with bk_. Null while the booking waits for a second person"),
  partner_id: z.string().describe("The id of the partner that paid"),
  amount: z.int().describe(AMOUNT),
  currency: fiatShown,
  received_at: timestamp.describe(RECEIVED),
  reference: z.string().describe(REFERENCE),
  status: z
    .enum(["proposed", "booked", "reversed"])
    .describe(
      "proposed: a second person must still confirm it. booked: the amount is deducted from what the partner owes. reversed: the booking was undone",
    ),
  booked_at: timestamp.nullable().describe("When it was booked. Null until then"),
  reversed_at: timestamp.nullable().describe("When it was reversed. Null if it was not"),
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
