import type { Check } from "#domain/payment-check.ts";

/** Texts about held payments. */

/** What can hold a payment. */
export const CHECK_WORDS = {
  limit: "Limit",
  screening: "Screening",
  unexplained_payment: "Unexplained payment",
} satisfies Record<Check, string> as Readonly<Record<string, string>>;

export const HELD = {
  label: "Held payments",
  title: (payments: number) => (payments === 1 ? "1 payment is held" : `${payments} payments are held`),
  line: (partner: string | null) => `{amount} to {recipient} for ${partner ?? "no partner"}`,
  cause: "{check}: {reason}",
  since: "Held {time}. {owner}",
  theTopUp: "The top-up",
  theSettlement: "The settlement",
  theWithdrawal: "The withdrawal, nothing taken yet",
  theTreasuryWithdrawal: "The treasury withdrawal",
  theReturn: "The withdrawal whose crypto goes back",
  releaseButton: "Release",
  refuseButton: "Refuse",
  release: {
    title: "Release the payment",
    description:
      "This releases every hold on the payment. It is signed as soon as there is money for it. The same checks do not hold it again for the same reason. In live mode another admin must first confirm it under Proposals.",
    button: "Release it",
    toast: "The payment is released",
  },
  refuse: {
    title: "Refuse the payment",
    description: "Nothing was signed. The payment fails permanently, and the partner is notified.",
    button: "Refuse it",
    toast: "The payment is refused",
  },
  reason: "At least eight characters; the partner reads it",
};
