/** Texts of the parts that load on demand. */

export const REJECT_FOOT = {
  merchantUnverified: "The merchant could not be verified.",
  amountDoesNotFit: "The amount does not fit the merchant's business.",
  walletUnknown: "The wallet is not known for this merchant.",
  partnerAsked: "The partner asked us to reject it.",
  rejectSettlement: "Reject settlement",
  notRejected: "Not rejected",
  cancelled: (txId: string) => `${txId} is cancelled.`,
  commonReasons: "Common reasons",
  reasonHint: (given: number) => `The partner reads it; at least ${given} characters.`,
  consequence: "Cancels the settlement. No callback is sent; the partner sees {state}.",
};

export const APPROVE_FOOT = {
  title: "Approve settlement",
  pricing: "Pricing",
  partnerNotNotified: "The partner is not notified before the last approval.",
  confirmBy: "The partner must confirm by {time}.",
  movesNoFunds: "Approving moves no funds.",
  toAcknowledge: (count: number) => `Acknowledge ${count === 1 ? "the warning" : `${count} warnings`} above first.`,
  typeAmount: (sourceAmount: string, sourceCurrency: string) => `Type the amount to approve it: ${sourceAmount} ${sourceCurrency}`,
  note: "Note (optional, for the audit log)",
  approve: (place: string | null, amount: string, currency: string, wallet: string) =>
    `Approve ${place === null ? "" : `${place}: `}${amount} ${currency} to ${wallet}`,
  ofNeeded: (place: number, needed: number) => `${place} of ${needed}`,
  noPrice: "No price",
  nothingApprovedAt: "Nothing was approved at {time}",
  priceMoved: (detail: string, driftToleranceBps: number) => `${detail} The tolerance is ${driftToleranceBps} bps.`,
  partnerCanConfirm: (txId: string) => `The partner can now confirm ${txId}.`,
  approvalRecorded: "Approval recorded",
  awaitsSecond: (txId: string) => `${txId} waits for another person.`,
  newPriceRead: "I have read the new price: {price}",
};

export const FRESHNESS = {
  priceFreshness: "Freshness of the price",
  priceFrozen: "The price does not change while you type",
  priceLoading: "Loading the price",
  priceRefreshesIn: (left: number) => `Price refreshes in ${left} s`,
  priceRefreshed: "Price refreshed",
};

export const BULK_RESULTS = {
  priceMoved: "Price moved",
  decidedAlready: "Decided already",
  needsTwoApprovals: "Needs two approvals",
  notApproved: "Not approved",
  notSent: "Cancelled, not sent",
  summary: (approved: number, count: number) => `${approved} of ${count} approved${approved < count ? ". The others are unchanged." : "."}`,
  results: "Results",
};

export const BULK_PANEL = {
  title: "Approve the selected settlements",
  excluded: (left: number) => `${left} excluded: review them one by one`,
  summary: (count: number) => `${count} to approve.`,
  selectedSettlements: "Selected settlements",
  checkingHints: "Still checking for anything unusual",
  includeAnyway: "Warnings read: include it",
  movesNoFunds: "Approving moves no funds. Each settlement is approved separately. A settlement whose price has moved is not approved.",
  approveCount: (count: number) => `Approve ${count} ${count === 1 ? "settlement" : "settlements"}`,
  needsApprovals: (needed: number) => (needed === 2 ? "Needs two approvals" : `Needs ${needed} approvals`),
  needsSomeoneElse: "Needs someone else's approval",
  noPrice: "No price right now",
  decided: "decided",
};
