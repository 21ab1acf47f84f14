/** Texts of these parts. */

const ORDINALS = ["First", "Second", "Third", "Fourth"];

export const PAGE = { title: "Approvals" };

export const DECIDED_ALREADY = {
  noLongerAwaits: (status: string) => `It no longer awaits a decision: the settlement is ${status}.`,
  alreadyBy: (approved: boolean, by: string) => `Already ${approved ? "approved" : "rejected"} by ${by}, {time}.`,
  whatYouTyped: "What you typed",
  copyTyped: "Copy what you typed",
};

export const RECIPIENT = {
  recipient: "Recipient",
  copyWallet: "Copy the wallet address",
  stillLooking: "Checking for anything unusual…",
  nothingUnusual: "Nothing unusual was found.",
};

export const QUEUE_BAR = {
  sortWords: { waiting: "Waiting longest", amount: "Largest amount", risk: "Most warnings" },
  selected: (count: number) => `${count} selected`,
  selectAll: "Select all",
  order: "Order",
  approveSelected: "Approve selected…",
};

export const WORK_TAB = {
  approved: (count: number) => `${count} approved.`,
};

export const REJECT_DIALOG = {
  merchantCouldNot: "The merchant could not be verified.",
  amountDoesNot: "The amount does not fit the merchant's business.",
  walletNotKnown: "The wallet is not known for this merchant.",
  partnerAskedUs: "The partner asked us to reject it.",
  rejectSettlement: "Reject settlement",
  notRejected: "Not rejected",
  rejected: "Rejected",
  cancelled: (txId: string) => `${txId} is cancelled.`,
  commonReasons: "Common reasons",
  reason: "Reason",
  partnerReadsLeast: (given: number) => `The partner reads it; at least ${given} characters.`,
  cancels: "Cancels the settlement. No callback is sent; the partner sees {state}.",
  close: "Close",
};

export const POLICY = {
  overMaximum: "Over the maximum",
  ofMaximum: "Of the maximum",
  pairsMaximum: "{times} the pair's maximum of {maximum}",
  rule: "Rule",
  aboveOneApproval: (maximum: string, currency: string, two: null | string) =>
    `Above ${maximum} ${currency}: one approval${two === null ? "" : `; above ${two} ${currency}: two`}.`,
  treasury: "Treasury",
  noBalanceKnown: "No balance is known yet.",
  over100: "over 100",
  walletCovers: "Wallet covers {times} ({amount})",
  noCallbackAddress: "No callback address at creation. The partner must poll to see the approval.",
  approvalCallback: "Approval callback to",
  severalMust: (needed: number, forAmount: boolean) =>
    `${needed === 2 ? "Two people" : `${needed} different people`} must approve this ${forAmount ? "amount" : "settlement"}. The first approval changes nothing for the partner: price and expiry stay.`,
  approvalBy: (place: number, isMine: boolean, by: string, note: string | null) =>
    `${ORDINALS[place] ?? "A further"} approval by ${isMine ? "you" : by}, {time}${note ? `: “${note}”` : ""}.`,
  countsNoMore: "It no longer counts. The person has lost the role since, or is not one of those who may approve.",
  whatIsNext: (left: number, isMine: boolean) => {
    if (left > 1) return `${left} more approvals from other people are needed.`;
    if (left < 1) return "There are enough approvals. Someone who gave one, or anyone else who may approve, must finish it.";
    return isMine ? "Another person must give the last one." : "The next approval decides, at the price of that moment.";
  },
  approvals: (given: number, needed: number) => `${given} of ${needed}`,
  beingReviewedBy: (by: string) => `Being reviewed by ${by}`,
};

export const QUEUE_ROW = {
  select: (externalMerchantId: string, source: string, sourceCurrency: string) =>
    `Select ${externalMerchantId}, ${source} ${sourceCurrency}`,
  noPriceNow: ", no price now",
  partnerPoll: "The partner must poll",
  noCallback: "No callback",
};

export const USE_QUEUE = {
  nextSettlement: "Next settlement",
  settlementBefore: "Previous settlement",
  selectChosenSettlement: "Select the chosen settlement",
  approveChosenSettlement: "Approve the chosen settlement",
  rejectChosenSettlement: "Reject the chosen settlement",
  clearSelectionOr: "Clear the selection, or go back to the list",
  leftHere: (count: string, externalMerchantId: string, count2: number) => `${count} ${externalMerchantId}. ${count2 - 1} left here.`,
  words: { approved: "Approved", recorded: "Approval recorded for", rejected: "Rejected" },
};

export const APPROVE_FORM = {
  originalQuoteLapsed: "Original quote lapsed; approving re-prices.",
  cannotApprovedNow: (detail: string) => `It cannot be approved now: ${detail}`,
  partnerLearnsNothing: "The partner is not notified before the last approval.",
  partnerMustConfirm: "The partner must confirm by {time}.",
  approvingMovesNo: "Approving moves no funds.",
  typeAmountApprove: (sourceAmount: string, sourceCurrency: string) => `Type the amount to approve it: ${sourceAmount} ${sourceCurrency}`,
  noteOptionalAudit: "Note (optional, for the audit log)",
  close: "Close",
  approve: (place: string | null, amount: string, currency: string, wallet: string) =>
    `Approve ${place === null ? "" : `${place}: `}${amount} ${currency} to ${wallet}`,
  noPrice: "No price",
  freshness: "Freshness of the price",
  priceFrozen: "The price does not change while you type",
  priceLoading: "Loading the price",
  priceRefreshesIn: (left: number) => `Price refreshes in ${left} s`,
  priceRefreshed: "Price refreshed",
};

export const APPROVAL_QUEUE = {
  waiting: "Waiting",
  awaitingApproval: "Awaiting approval",
  needsSecondApproval: "Needs second approval",
  awaitingSecondApproval: "Awaiting a second approval",
  nothingWaitsSecond: "Nothing waits for a second approval",
  decidedByMe: "Decided by me",
  lapsedAfterApproval: "Lapsed after approval",
  approvals: "Approvals",
  hintsColumn: "Warnings",
  nothingWaiting: "Nothing waiting",
  medianDecisionTime: (given: string) => `Half of the decisions of the last 24 hours took less than ${given}.`,
  settlementsAbovePairs: "Settlements above a pair's maximum come here for a decision.",
};

export const BULK_RESULTS = {
  approved: "Approved",
  priceMoved: "Price moved",
  decidedAlready: "Decided already",
  needsTwoApprovals: "Needs two approvals",
  notApproved: "Not approved",
  approvedCount: (approved: number, count: number) =>
    `${approved} of ${count} approved${approved < count ? ". The others are unchanged." : "."}`,
  results: "Results",
  close: "Close",
};

export const RISK = {
  hints: {
    wallet_changed: "Wallet changed",
    just_under_maximum: "Just under maximum",
    far_above_usual: "Far above usual",
    repeated: "Repeated",
    first_wallet_use: "First use of wallet",
  },
  lookingAnythingUnusual: "Checking for anything unusual…",
  nothingUnusualFound: "Nothing unusual was found.",
  whyLookTwice: "Warnings",
  usualAmount: (compared: string) => `95 in 100 stayed below {money}. ${compared} were compared.`,
  settlement: "settlement",
  wallet: "wallet",
};

export const PAST_LIST = {
  verbs: {
    "settlement.approved": "Approved",
    "settlement.rejected": "Rejected",
    "settlement.approval_recorded": "First approval",
  } as Readonly<Record<string, string>>,
  status: "Status",
  settlement: "Settlement",
  settlementNoun: "settlement",
  partnerMerchant: "Partner · merchant",
  sourceAmount: "Source amount",
  netAmount: "Net amount",
  yourDecision: "Your decision",
  standsNow: "Status now",
  when: "When",
  noteOrReason: "Note or reason",
  lapsed: "Lapsed",
  approved: "Approved",
  callback: "Callback",
  settlementsYouDecided: "Settlements that you decided, the latest first",
  nothingDecidedYet: "Nothing decided yet",
  whatYouApprove: "What you approve or reject is listed here.",
  approvedSettlementsLapsed: "Approved settlements that lapsed, the latest first",
  nothingLapsed: "Nothing lapsed",
  approvedSettlementsWhose: "Approved settlements whose partner let the new price run out are listed here.",
};

export const USE_LOOK = {
  decidedStillAwait: (count: number, waiting: number) => `${count - waiting} of ${count} are decided, ${waiting} still await a decision.`,
  oneTwoApprovals: (first: string, at: string) => `one of two approvals is recorded, by ${first}, ${at}.`,
  stillAwaitsDecision: "it still awaits a decision. Your request will not be carried out later. Press again if you still want it.",
  noLongerAwaits: (status: string) => `it no longer awaits a decision: it is ${status}.`,
  by: (approved: boolean, decision: string, at: string) => `it is ${approved ? "approved" : "rejected"}, by ${decision}, ${at}.`,
};

export const REVIEW = {
  chosenSettlement: "The chosen settlement",
  backList: "Back to the list",
  reject: "Reject",
  approve: "Approve",
  originalQuoteLapsed: "Original quote lapsed; approving re-prices.",
  pricingUnavailable: (detail: string) => `Pricing unavailable: ${detail}`,
  whyLookTwice: "Warnings",
  settlement: "Settlement",
  waitingSince: "Waiting since",
  settlementNoun: "settlement",
  everythingAboutSettlement: "Everything about this settlement",
};

export const PRICE_CHANGE = {
  quotedPricePrice: "Quoted price and price on approval",
  quotedAndApprovalPrice: "The quoted price and the price on approval",
  what: "What",
  quoted: "Quoted",
  approval: "On approval",
  change: "Change",
  rate: "Rate",
  gross: "Gross",
  fee: "Fee",
  net: (unit: string) => `Net, ${unit}`,
  validUntil: "Valid until",
  unchanged: "unchanged",
  percent: (percent: string) => `${percent} %`,
  bps: (bps: string) => `${bps} bps`,
};

export const BULK_DIALOG = {
  approveSelectedSettlements: "Approve the selected settlements",
  nothingApproved: "Nothing was approved",
  excludedReviewSingly: (left: number) => `${left} excluded: review them one by one`,
  approve: "{count} to approve: {sums}",
  selectedSettlements: "Selected settlements",
  stillLookingAnything: "Still checking for anything unusual",
  includeAnyway: "Include anyway",
  approvingMovesNo: "Approving moves no funds. Each settlement is approved separately. A settlement whose price has moved is not approved.",
  close: "Close",
  approveCount: (count: number) => `Approve ${count} ${count === 1 ? "settlement" : "settlements"}`,
  needsApprovals: (needed: number) => (needed === 2 ? "Needs two approvals" : `Needs ${needed} approvals`),
  asksSomebodyElse: "Needs someone else's approval",
  noPriceJust: "No price right now",
};

export const APPROVE_DIALOG = {
  approveSettlement: "Approve settlement",
  pricing: "Pricing",
  nothingApproved: "Nothing was approved",
  notApprovedAt: "Nothing was approved at {time}",
  toleranceBps: (detail: string, driftToleranceBps: number) => `${detail} The tolerance is ${driftToleranceBps} bps.`,
  approved: "Approved",
  mayConfirmedBy: (txId: string) => `The partner can now confirm ${txId}.`,
  approvalRecorded: "Approval recorded",
  waitsForAnother: (txId: string) => `${txId} waits for another person.`,
  iReadNew: "I have read the new price: {price}",
};

export const WAITING = {
  due: ", due",
  late: ", late",
  waiting: "waiting",
};
