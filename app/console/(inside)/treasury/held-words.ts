/** What is said of held payments. */

export const HELD = {
  label: "Held payments",
  title: (payments: number) => (payments === 1 ? "1 payment is held" : `${payments} payments are held`),
  line: (partner: string | null) => `{amount} to {recipient} for ${partner ?? "nobody"}, by a {check}: {reason}`,
  since: "Since {time}. {owner}",
  recipient: "recipient",
  theTopUp: "The top-up",
  theSettlement: "The settlement",
  theWithdrawal: "The withdrawal, nothing taken yet",
  theReturn: "The withdrawal whose crypto goes back",
  releaseIt: "Release",
  refuseIt: "Refuse",
  checks: { limit: "limit", screening: "screening" } as Readonly<Record<string, string>>,
  release: {
    title: "Release the payment",
    description: "All that holds it now lets it go: it is signed as soon as there is money for it, and for the same it is not held again.",
    button: "Release it",
    toast: "The payment is released",
  },
  refuse: {
    title: "Refuse the payment",
    description: "Nothing was signed. It fails for good, and the partner is told.",
    button: "Refuse it",
    toast: "The payment is refused",
  },
  reason: "At least eight characters; the partner reads it",
  leaveIt: "Leave it",
};
