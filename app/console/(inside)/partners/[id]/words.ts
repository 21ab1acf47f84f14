import type { BookingKind } from "#domain/booking.ts";

export const PARTNER_PAGE = {
  facts: "Facts",
  account: "Account",
  audit: "Audit",
  suspend: "Suspend",
  tabs: "Parts of the partner",
  settlements: "Settlements, 30 days",
  noneUndelivered: "None undelivered",
  fee: "Fee on top-ups and withdrawals",
  partnerId: "Partner id",
  partnerIdNoun: "partner id",
  everything: "Everything recorded about this partner",
  viewAs: "View as partner",
  counts: (created: string, executed: string, failed: string) => `${created} created, ${executed} executed, ${failed} failed`,
  retrying: (callbacks: string) => `${callbacks} being retried`,
  undelivered: (callbacks: string) => `${callbacks} undelivered`,
};

export const ACCOUNT = {
  owesUs: "Owes us",
  weOwe: "We owe",
  nothingOwed: "Nothing is owed",
  book: "Book a payment…",
  bankFile: "Book a bank's file…",
  none: "No payment is booked yet",
  noneMore: "Book what the partner has paid, or what you have paid to it.",
  caption: "Bookings, newest first",
  kinds: {
    partner_payment: "The partner paid",
    partner_payout: "We paid the partner",
    late_credit: "Top-up that was paid too late",
    late_refund: "Late top-up refunded",
    provider_cost: "Cost at the provider",
    fiat_loss: "Loss at the provider",
  } satisfies Record<BookingKind, string>,
  reference: "Reference",
  received: "Received",
  reverse: "Reverse",
  reversed: "reversed",
  reverseOne: (reference: string) => `Reverse ${reference}`,
};

export const BOOKING_DIALOG = {
  title: (name: string) => `Book a payment of ${name}`,
  consequence: "The partner owes that much less from now on, or more if you paid it. In live mode another admin confirms it first.",
  costTitle: "Book a cost or a loss",
  costConsequence:
    "The pool of that currency holds that much less from now on, and the operator bears it. In live mode another admin confirms it first.",
  costKind: "What it was",
  providerReference: "The provider's reference",
  providerReferenceHint: "Each is booked once.",
  kind: "Who paid",
  amount: "Amount",
  currency: "Currency",
  reference: "The bank's reference",
  referenceHint: "Each is booked once, for one partner.",
  day: "Received on",
  bookIt: "Book",
  booked: "Booked",
  repeated: "It was booked before. Nothing changed.",
  proposed: "Proposed. Another admin must confirm it under Proposals.",
  reverseTitle: (reference: string) => `Reverse ${reference}`,
  reverseMeans: "The opposite is booked, and the reference is free again. Both lines stay on the statement.",
  reverseIt: "Reverse",
  reversed: "Reversed",
};

export const OWN_TERMS = {
  none: (name: string) => `${name} has no terms of its own`,
  noneMore: "It is quoted under the pairs' terms.",
  open: "Open",
};

export const PARTNER_PEOPLE = {
  adminsOnly: "Only admins can see the people of a partner.",
  manage: "Invite and manage people",
  none: "No one at this partner uses the console yet",
  caption: "People of the partner",
  deactivated: "deactivated",
};

export const FEE_DIALOG = {
  title: (name: string) => `Fee of ${name}`,
  consequence: "It applies to top-ups and withdrawals from now on. Those in progress keep their own.",
  feeChanged: "Fee changed",
  continueFrom: (current: string) => `Continue from ${current} %`,
  newFeePercent: "New fee in percent",
};

export const STATUS_DIALOG = {
  suspended: "Partner suspended",
  reactivated: "Partner reactivated",
  suspendMeans: "From now on, requests with its keys are refused. Work in progress runs to its end, and callbacks are still sent.",
  reactivateMeans: "From now on, its keys work again.",
  suspendPartner: "Suspend partner",
  suspendTitle: (name: string) => `Suspend ${name}`,
  reactivateTitle: (name: string) => `Reactivate ${name}`,
};

export const PAGE = {
  title: (id: string) => `Partner ${id}`,
};
