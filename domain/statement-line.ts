import type { BookingKind } from "./booking.ts";
import type { LedgerCause, LedgerStep } from "./ledger.ts";

/** One line of a partner's account: what caused it, and which way it went. `booking`: its kind, where people booked it. */
type Line = { cause: LedgerCause; step: LedgerStep; booking: BookingKind | null };

const IN_WORDS: Readonly<Record<string, string>> = {
  "settlement executed": "Paid out for you",
  "topup sent": "Your fee of a top-up",
  "topup unsent": "Top-up collected and not delivered",
  "withdrawal paid": "Your fee of a withdrawal",
  "withdrawal unreturned": "Crypto of a withdrawal that could not be returned",
  "partner_payment booked": "Your payment",
  "partner_payment reversed": "Reversal of a payment that was not yours",
  "partner_payout booked": "Our payment to you",
  "partner_payout reversed": "Reversal of our payment to you",
  "late_credit booked": "Top-up that was paid too late",
};

/** What a line of a statement says to the partner. */
export function lineInWords({ cause, step, booking }: Line): string {
  return IN_WORDS[`${booking ?? cause} ${step}`] ?? `${cause} ${step}`;
}
