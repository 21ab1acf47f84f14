import type { TopupStep } from "#domain/topup.ts";
import type { WithdrawalStep } from "#domain/withdrawal.ts";

export const TOPUP = {
  title: "Top-up",
};

export const WITHDRAWAL = {
  title: "Withdrawal",
};

export const ORDER_PAGE = {
  fiat: "Fiat",
  partner: "Partner",
  lateTitle: "What became of the money",
  unclearTitle: "What the provider did",
  onlyAdminDecides: "Only an admin decides.",
  amounts: "Amounts",
  providerSaid: "What the provider said",
  callbacks: "Callbacks",
  theWithdrawal: "withdrawal",
  theTopUp: "top-up",
};

export const ORDER_PARTS = {
  noCallbacks: "No callback address was given: the partner asks for the status.",
  oneFollows: (url: string) => `One follows at the end, to ${url}.`,
  mobile_money: "Mobile money",
  bank_account: "Bank account",
};

export const PROVIDER_LOG = {
  none: "It has said nothing final yet.",
  received: "Received",
  how: "How",
  said: "Said",
  reference: "Reference",
  theReference: "reference",
  effect: "Effect",
  caption: "The words of the provider, oldest first",
  callOf: (at: string) => `Call of ${at}`,
  succeeded: "Succeeded",
  failed: "Failed",
  effects: {
    applied: "Applied",
    repeated: "Repeated",
    late: "Too late",
    contradicted: "Contradicts",
    unknown_order: "Unknown order",
  },
  sources: { callback: "It called", answer: "Answer to the order", look_up: "When asked", operator: "To an operator" },
  bytes: (calls: number) => `Bytes of its ${calls === 1 ? "call" : `${calls} calls`}`,
};

export const RESOLVE_AMBIGUOUS = {
  decide: "Decide",
  decided: "Decided",
  lateLegend: "How it was settled",
  legend: "What you found out with the provider",
  providersReference: "Provider's reference",
  withdrawal: {
    moved: {
      title: "It paid out",
      explained: "By its statement or its word in writing. The withdrawal completes, and the partner is told.",
    },
    not_moved: {
      title: "It did not pay, and never will",
      explained: "The crypto goes back to the Safe. If it pays after all, both sides have been paid.",
    },
    ask_again: { title: "Ask it again", explained: "It is asked how the order stands. The order is not given to it again." },
  },
  topup: {
    moved: { title: "It collected the money", explained: "By its statement or its word in writing. The crypto is sent." },
    not_moved: {
      title: "It did not collect, and never will",
      explained: "The top-up fails, and the partner is told. If it collects after all, have it refund the payer.",
    },
    ask_again: { title: "Ask it again", explained: "It is asked how the order stands. The order is not given to it again." },
  },
  late: {
    refunded: { title: "The payer has the money back", explained: "The provider refunded it, and names a reference for that." },
    settled: {
      title: "It was settled otherwise",
      explained: "With the partner: say how. Nothing is sent by this; what stays in the pool is booked with npm run fund-pool.",
    },
  },
};

export const STORY = {
  accepted: "Order accepted by the provider",
  released: "No crypto was taken, and the pool is free again.",
  returning: "The crypto is on its way back to the Safe.",
  returned: "The Safe has its crypto back.",
  unreturned: "The crypto was taken and could not be returned: it is owed to the partner, and a person has to settle it.",
  paidAfterwards: "It was paid afterwards: no crypto was sent, and the operator sees to the money.",
  uncollected: "No money and no crypto moved.",
  unsent: "The payer's money was collected and is owed to the partner: a person has to settle it.",
  itFailed: "It failed.",
  events: {
    "withdrawal.requested": "Asked for, pool reserved",
    "withdrawal.sweeping": "Crypto is taken from the Safe",
    "withdrawal.paying_out": "Crypto taken; the provider is told to pay",
    "withdrawal.paid": "Paid out",
    "withdrawal.released": "Failed: nothing was taken, the pool is free again",
    "withdrawal.returning": "Not paid out: the crypto goes back",
    "withdrawal.returned": "Failed: the crypto is back in the Safe",
    "withdrawal.unreturned": "Failed: the crypto could not be returned",
    "withdrawal.ambiguous": "Unclear whether the provider has it: an operator must find out",
    "withdrawal.resolved_moved": "An operator found out: it was paid out",
    "withdrawal.resolved_not_moved": "An operator found out: it was not paid out",
    "withdrawal.asked_again": "The provider is asked again",
    "topup.ambiguous": "Unclear whether the provider has it: an operator must find out",
    "topup.resolved_moved": "An operator found out: it was collected",
    "topup.resolved_not_moved": "An operator found out: it was not collected",
    "topup.asked_again": "The provider is asked again",
    "topup.paid_late": "Paid after it had expired: an operator sees to the money",
    "topup.late_payment_refunded": "The payer has the late payment back",
    "topup.late_payment_settled": "The late payment was settled",
    "topup.requested": "Asked for; the provider collects",
    "topup.sending": "Paid by the member; crypto is sent",
    "topup.sent": "Crypto delivered",
    "topup.uncollected": "Failed: nobody paid",
    "topup.unsent": "Failed: paid, but the chain refused the crypto",
    "callback.resent": "Callback queued again",
  } as Readonly<Record<string, string>>,
  ahead: {
    taken: "Crypto taken from the Safe",
    paid: "Paid out",
    returned: "Crypto returned",
    collected: "Paid by the member",
    delivered: "Crypto delivered",
  },
};

export const TOPUP_PAGE = {
  member: "Member",
  collectedFrom: "From the account",
  by: "By",
  externalId: "External id",
  providersReference: "Provider's reference",
  deliveredTo: "To the wallet",
  wallet: "wallet",
  created: "Created",
  paidTooLate: "Paid too late",
  completed: "Completed",
  deliveringCrypto: "Delivering the crypto",
  howMemberPays: "How the member pays",
  paymentReference: "Payment reference",
  copyPaymentReference: "Copy payment reference",
  paymentLinkQr: "The payment link as a QR code",
  until: "Can be paid until",
  wasUntil: "Could be paid until",
};

export const WITHDRAWAL_PAGE = {
  outOf: "Out of",
  partnersOwnSafe: "The partner's own Safe",
  paidTo: "To the account",
  by: "By",
  externalId: "External id",
  providersReference: "Provider's reference",
  safe: "Safe",
  takenTo: "Taken to",
  treasuryWallet: "treasury wallet",
  created: "Created",
  completed: "Completed",
  takingCrypto: "Taking the crypto",
  returningCrypto: "Returning the crypto",
};

export const STEPS = {
  withdrawal: {
    reserved: "Reserved",
    sweeping: "Taking crypto",
    paying_out: "Paying out",
    returning: "Returning crypto",
    paid: "Completed",
    released: "Failed",
    returned: "Failed, returned",
    unreturned: "Failed, not returned",
  } satisfies Record<WithdrawalStep, string>,
  topup: {
    collecting: "Awaiting payment",
    sending: "Sending crypto",
    sent: "Completed",
    uncollected: "Not paid",
    unsent: "Paid, not sent",
  } satisfies Record<TopupStep, string>,
  unclear: "Unclear at the provider",
  paidLate: "Paid too late",
};
