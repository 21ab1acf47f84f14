/** Texts about held payments. */

export const HELD = {
  label: "Held payments",
  title: (payments: number) => (payments === 1 ? "1 payment is held" : `${payments} payments are held`),
  line: (partner: string | null) => `{amount} to {recipient} for ${partner ?? "no partner"}, by a {check}: {reason}`,
  since: "Since {time}. {owner}",
  recipient: "recipient",
  theTopUp: "The top-up",
  theSettlement: "The settlement",
  theWithdrawal: "The withdrawal, nothing taken yet",
  theReturn: "The withdrawal whose crypto goes back",
  releaseIt: "Release",
  refuseIt: "Refuse",
  checks: { limit: "limit", screening: "screening", unexplained_payment: "unexplained payment" } as Readonly<Record<string, string>>,
  release: {
    title: "Release the payment",
    description:
      "This releases every hold on the payment. It is signed as soon as there is money for it. The same checks do not hold it again for the same reason.",
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
  leaveIt: "Leave it",
};
