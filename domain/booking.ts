import { balancedEntry, fiatAsset, type LedgerEntry, on, owes, type Posting } from "./ledger.ts";

/**
 * Movements of fiat that no order of ours caused, each declared by people, or found in a provider's statement.
 *
 * - `partner_payment`: a partner has paid the operator. `partner_payout`: the operator has paid a partner what it owed.
 * - `provider_cost`: what a provider took for a payout or a collection. `fiat_loss`: what is gone from a provider's account.
 * - `late_refund`: the provider has returned a top-up that was paid too late. `late_credit`: the operator keeps such a payment, and owes it.
 */
export const BOOKING_KINDS = ["partner_payment", "partner_payout", "provider_cost", "fiat_loss", "late_refund", "late_credit"] as const;
export type BookingKind = (typeof BOOKING_KINDS)[number];

/** Those that people declare. The others follow from what became of a late payment. */
export const DECLARED_KINDS = ["partner_payment", "partner_payout", "provider_cost", "fiat_loss"] as const;
export type DeclaredKind = (typeof DECLARED_KINDS)[number];

export type Booking = {
  id: string;
  kind: BookingKind;
  /** Of payments, payouts and credits, and of no other. */
  partnerId: string | null;
  currency: string;
  /** Always above zero: the kind says which way it went. */
  amountMinor: bigint;
  /** The bank's or the provider's name for it, unique within its kind until it is reversed. */
  reference: string;
  /** The withdrawal or top-up that it is about. */
  orderId: string | null;
  /** When the money moved, according to the bank or the provider. */
  receivedAt: Date;
  bookedAt: Date;
  reversedAt: Date | null;
};

/** What identifies a movement, besides its name. */
export type NewBooking = Pick<Booking, "kind" | "partnerId" | "currency" | "amountMinor" | "reference" | "orderId" | "receivedAt">;

/** What people declare. */
export type Declared = NewBooking & { kind: DeclaredKind };

export function isDeclared(kind: BookingKind): boolean {
  return DECLARED_KINDS.some((each) => each === kind);
}

/** Whether two say the same of one movement. */
export function isSameBooking(one: NewBooking, other: NewBooking): boolean {
  const textOf = ({ kind, partnerId, currency, amountMinor, reference, orderId, receivedAt }: NewBooking) =>
    JSON.stringify([kind, partnerId, currency, amountMinor.toString(), reference, orderId, receivedAt.getTime()]);
  return textOf(one) === textOf(other);
}

/** The entry of a booking. */
export function bookedEntry(booking: Omit<NewBooking, "reference" | "receivedAt"> & { id: string }): LedgerEntry {
  const { id: causeId, partnerId } = booking;
  return balancedEntry({ cause: "booking", causeId, step: "booked", partnerId }, linesOf(booking));
}

/** The entry that takes a booking back in full. */
export function reversedEntry(booking: Parameters<typeof bookedEntry>[0]): LedgerEntry {
  const { causeId, partnerId, postings } = bookedEntry(booking);
  const undone = postings.map((posting) => ({ ...posting, amount: -posting.amount }));
  return balancedEntry({ cause: "booking", causeId, step: "reversed", partnerId }, undone);
}

/** All entries that the ledger must have for a booking in its present state. */
export function bookingHistory(booking: Booking): LedgerEntry[] {
  return booking.reversedAt === null ? [bookedEntry(booking)] : [bookedEntry(booking), reversedEntry(booking)];
}

/** How much an entry changes the pool of a currency. */
export function poolChange({ postings }: LedgerEntry): bigint {
  return postings.reduce((sum, { account, amount }) => sum + (account === "fiat_pool" ? amount : 0n), 0n);
}

function linesOf({ kind, partnerId, currency, amountMinor: amount }: Parameters<typeof bookedEntry>[0]): Posting[] {
  const fiat = fiatAsset(currency);
  switch (kind) {
    case "partner_payment":
      // The operator's bank account is outside of these books: what came in there, the operator has taken out of the business.
      return [on("owner_funds", fiat, amount), owes(ownerOf(kind, partnerId), fiat, -amount)];
    case "partner_payout":
      return [owes(ownerOf(kind, partnerId), fiat, amount), on("owner_funds", fiat, -amount)];
    case "provider_cost":
      return [on("provider_costs", fiat, amount), on("fiat_pool", fiat, -amount)];
    case "fiat_loss":
      return [on("losses", fiat, amount), on("fiat_pool", fiat, -amount)];
    case "late_refund":
      return [on("fiat_pool", fiat, amount), on("fiat_pool", fiat, -amount)];
    case "late_credit":
      return [on("fiat_pool", fiat, amount), owes(ownerOf(kind, partnerId), fiat, -amount)];
  }
}

function ownerOf(kind: BookingKind, partnerId: string | null): string {
  if (partnerId === null) throw new RangeError(`a ${kind} needs a partner`);
  return partnerId;
}
