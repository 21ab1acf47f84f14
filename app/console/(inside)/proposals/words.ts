/** Texts of these parts. */

export const PAGE = { title: "Proposals" };

export const DECIDE_DIALOG = {
  confirmMeans: "It takes effect as soon as you confirm. You must have entered your one-time code within the last five minutes.",
  withdrawMeans: "The proposal has no effect then. The same can be proposed again.",
  reasonHint: "For the audit log",
};

/** The name of each kind. Anyone who adds a kind adds its name. */
export const KINDS = {
  kinds: {
    pair_terms: "New thresholds of a pair",
    operator_key: "New operator key",
    partner_key: "New key of a partner",
    operator: "New person who decides",
    invitation: "Invitation of a person who decides",
    role: "Role that decides",
    exposure_limit: "Limit on payments",
    approval_policy: "Approval policy",
    safe_owner_swap: "New owner for a wallet's Safes",
    lane_lift: "Lift of a halt",
    order_resolution: "Result of a fiat order",
    payment_release: "Release of a held payment",
    pool_funding: "Money into a fiat pool",
    bookings: "Bookings",
    booking_reversal: "Reversal of a booking",
    transfer_cancellation: "Cancellation of a payment",
    transfer_resolution: "Result of a payment under review",
    wallet_activation: "Wallet that signs again",
    restored_payment: "Payment from before a restore",
    treasury_loss: "Loss of the treasury",
    treasury_funding: "Deposit into the treasury",
    movement_explanation: "Explanation of a movement",
    ledger_correction: "Correction of an entry",
  } as Readonly<Record<string, string>>,
  proposedByYou: (name: string) => `${name} (you)`,
  proposedByKey: (name: string) => `${name} (a key)`,
};

export const PROPOSALS = {
  by: (row: string) => `by ${row}`,
  since: "Since",
  noneGiven: "None given",
  outcome: "Outcome",
  decidedBy: "Decided by",
  decidedByName: (name: undefined | string) => `by ${name}`,
  withdrawSubject: (subject: string) => `Withdraw: ${subject}`,
  confirmSubject: (subject: string) => `Confirm: ${subject}`,
  proposals: "Proposals",
  waitingTitle: "Waiting for a second person",
  noneWaiting: "Nothing waits for a second person",
  sandboxExplained:
    "In the sandbox one person is enough. In live mode new thresholds, admins, partners' owners, keys and decisions about payments wait here for another admin.",
  whatComesHere: "New thresholds, admins, partners' owners, keys and decisions about payments wait here until another admin confirms them.",
  waitingCaption: "Proposals that wait",
  decidedCaption: "Decided proposals",
};
