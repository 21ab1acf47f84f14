import type { TopupStep } from "#domain/topup.ts";
import type { WithdrawalStep } from "#domain/withdrawal.ts";

export const TOPUP = {
  title: "Top-up",
};

export const WITHDRAWAL = {
  title: "Withdrawal",
};

export const ORDER_PAGE = {
  provider: "Fiat provider",
  lateTitle: "Settle the late payment",
  providerMessages: "Messages of the provider",
};

export const NEW_PAYEE = {
  waits: "Your account has not paid this payee before. The payout waits until {end}, and then continues by itself.",
  byOwner: "If you know the payee, approve it. If you do not, have the operator refuse the payout.",
  byOthers:
    "An owner who did not request the withdrawal can approve the payee now. If your team does not know the payee, ask the operator to refuse the payout.",
  approve: "Approve payee",
  title: (name: string) => `Approve ${name} as a payee?`,
  consequence:
    "Payouts to it no longer wait. The limits by amount still apply. Compare the account with the one that the payee gave you, not with the request.",
  account: "Account",
  name: "Name",
  approved: "Payee approved",
  soon: "The payout continues within a minute.",
};

export const ORDER_PARTS = {
  partnerMustPoll: "No callback address was given. The partner must poll for the status.",
  oneCallback: (url: string) => `One callback is sent at the end, to ${url}.`,
  mobile_money: "Mobile money",
  bank_account: "Bank account",
};

export const PROVIDER_LOG = {
  none: "The provider has reported nothing final yet.",
  received: "Received",
  source: "How",
  reference: "Reference",
  referenceNoun: "reference",
  effect: "Effect",
  caption: "Messages of the provider, oldest first",
  callOf: (at: string) => `Call of ${at}`,
  succeeded: "Succeeded",
  effects: {
    applied: "Applied",
    repeated: "Repeated",
    late: "Too late",
    contradicted: "Contradicts",
    unknown_order: "Unknown order",
  },
  sources: { callback: "Its callback", answer: "Answer to the order", look_up: "Status query", operator: "Through an operator" },
  rawCalls: (calls: number) => `Bytes of its ${calls === 1 ? "call" : `${calls} calls`}`,
};

export const RESOLVE_AMBIGUOUS = {
  lateLegend: "How it was settled",
  withdrawal: {
    moved: {
      title: "It paid out",
      explained: "Its statement or a written answer confirms it. The withdrawal completes, and the partner is notified.",
    },
    not_moved: {
      title: "It did not pay, and never will",
      explained: "The crypto goes back to the Safe. If the provider still pays later, both sides have been paid.",
    },
    ask_again: {
      title: "Ask again",
      explained: "The service asks the provider for the order's status. It does not submit the order again.",
    },
  },
  topup: {
    moved: { title: "It collected the money", explained: "Its statement or a written answer confirms it. The crypto is sent." },
    not_moved: {
      title: "It did not collect, and never will",
      explained: "The top-up fails, and the partner is notified. If the provider still collects later, have it refund the payer.",
    },
    ask_again: {
      title: "Ask again",
      explained: "The service asks the provider for the order's status. It does not submit the order again.",
    },
  },
  late: {
    refunded: { title: "The payer was refunded", explained: "The provider refunded the payment and gave a reference for the refund." },
    settled: {
      title: "It stays with us",
      explained:
        "This sends nothing. The money joins the pool, and we owe it to the partner. Book on the partner's page when you have paid it.",
    },
  },
};

export const STORY = {
  accepted: "Order accepted by the provider",
  released: "No crypto was taken. The pool no longer reserves the money.",
  returning: "The crypto is on its way back to the Safe.",
  returned: "The Safe has its crypto back.",
  unreturned: "The crypto was taken and could not be returned. It is owed to the partner, and a person must settle it.",
  paidAfterwards: "The payer paid too late. No crypto was sent, and the operator must settle the money.",
  uncollected: "No money and no crypto moved.",
  unsent: "The payer's money was collected. It is owed to the partner, and a person must settle it.",
  failed: "It failed.",
  events: {
    "withdrawal.requested": "Requested, pool reserved",
    "withdrawal.sweeping": "Taking crypto from the Safe",
    "withdrawal.paying_out": "Crypto taken; the provider is instructed to pay",
    "withdrawal.paid": "Paid out",
    "withdrawal.released": "Failed: nothing was taken, the pool reservation ends",
    "withdrawal.cancelled": "Cancelled by the partner: nothing was taken",
    "withdrawal.returning": "Not paid out: the crypto goes back",
    "withdrawal.returned": "Failed: the crypto is back in the Safe",
    "withdrawal.unreturned": "Failed: the crypto could not be returned",
    "withdrawal.ambiguous": "Unclear whether the provider has the order: an operator must find out",
    "withdrawal.resolved_moved": "An operator found out: it was paid out",
    "withdrawal.resolved_not_moved": "An operator found out: it was not paid out",
    "withdrawal.asked_again": "The provider is asked again",
    "topup.ambiguous": "Unclear whether the provider has the order: an operator must find out",
    "topup.resolved_moved": "An operator found out: it was collected",
    "topup.resolved_not_moved": "An operator found out: it was not collected",
    "topup.asked_again": "The provider is asked again",
    "topup.paid_late": "Paid after it had expired: an operator must settle the money",
    "topup.late_payment_refunded": "The late payment was refunded",
    "topup.late_payment_settled": "The late payment was settled",
    "topup.requested": "Requested; the provider collects",
    "topup.sending": "Paid by the member; sending crypto",
    "topup.sent": "Crypto delivered",
    "topup.uncollected": "Failed: not paid",
    "topup.cancelled": "Cancelled by the partner before anyone was asked to pay",
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
  fromAccount: "From the account",
  paidTooLate: "Paid too late",
  deliveringCrypto: "Delivering the crypto",
  howMemberPays: "How the member pays",
  paymentReference: "Payment reference",
  copyPaymentReference: "Copy payment reference",
  paymentLinkQr: "The payment link as a QR code",
  payableUntil: "Can be paid until",
  wasPayableUntil: "Could be paid until",
};

export const WITHDRAWAL_PAGE = {
  outOf: "Out of",
  toAccount: "To the account",
  cryptoTakenTo: "Taken to",
  treasuryWallet: "treasury wallet",
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
  cancelled: "Cancelled",
  paidLate: "Paid too late",
};
