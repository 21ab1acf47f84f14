/** Texts of these parts. */

const ORDINALS = ["First", "Second", "Third", "Fourth"];

export const PAGE = { title: "Approvals" };

export const DECIDED_ALREADY = {
  noLongerAwaits: (status: string) => `It no longer awaits a decision: the settlement is ${status}.`,
  alreadyBy: (approved: boolean, by: string) => `Already ${approved ? "approved" : "rejected"} by ${by}, {time}.`,
  yourNote: "What you typed",
  copyYourNote: "Copy what you typed",
};

export const RECIPIENT = {
  recipient: "Recipient",
  copyWallet: "Copy the wallet address",
  known: (uses: number, executed: number) => {
    if (executed > 0) return `Wallet paid ${executed === 1 ? "once" : `${executed} times`} before by this partner, in any currency`;
    return uses === 0 ? "First use" : `Wallet never paid by this partner, in ${uses} earlier ${uses === 1 ? "quote" : "quotes"}`;
  },
  earlierWallets: (count: number) => `Merchant had ${count} other ${count === 1 ? "wallet" : "wallets"} before`,
};

export const PAST = {
  label: "Amounts before this one",
  title: (currency: string) => `Earlier amounts in ${currency}`,
  earlier: "an earlier one",
  thisOne: "this one",
  lastOfMerchant: (count: number) => (count === 0 ? "Merchant" : `Merchant's last ${count}`),
  lastToWallet: (count: number) => (count === 0 ? "Wallet" : `Wallet's last ${count}`),
  noneOfMerchant: "Its first settlement in this currency",
  noneOfWallet: "Its first settlement in this currency",
  rank: (below: number, count: number) =>
    below === count ? (count === 1 ? "above it" : `above all ${count}`) : `above ${below} of ${count}`,
  ofMerchant: (count: number, below: number) =>
    `The merchant's last ${count === 1 ? "amount" : `${count} amounts`}: from {least} to {most}. This one is above ${below} of them.`,
  ofWallet: (count: number, below: number) =>
    `The wallet's last ${count === 1 ? "amount" : `${count} amounts`}: from {least} to {most}. This one is above ${below} of them.`,
};

export const QUEUE_BAR = {
  sorts: { waiting: "Waiting longest", amount: "Largest amount", risk: "Most warnings" },
  selected: (count: number) => `${count} selected`,
  selectAll: "Select all",
  order: "Order",
  approveSelected: "Approve selected…",
};

export const WORK_TAB = {
  approved: (count: number) => `${count} approved.`,
};

export const POLICY = {
  thisAmount: "This amount",
  timesFirstThreshold: "{times} the {maximum} above which it needs an approval",
  rule: "Rule",
  approvalsByAmount: (maximum: string, currency: string, two: null | string) =>
    `Above ${maximum} ${currency}: one approval${two === null ? "" : `; above ${two} ${currency}: two`}.`,
  noBalanceKnown: "No balance is known yet.",
  moreThanHundred: "over 100",
  walletCovers: "Wallet covers {times}",
  walletHas: "Wallet covers {times}: it has {amount}",
  together: (others: number, two: string | null) =>
    `With ${others} more that ${others === 1 ? "waits" : "wait"} for this merchant: {sum} together${two === null ? "." : `; two approvals above ${two}.`}`,
  togetherShort: (sum: string) => `${sum} together`,
  partnerMustPoll: "No callback address at creation. The partner must poll to see the approval.",
  approvalCallbackTo: "Approval callback to",
  approvalsNeeded: (needed: number, forAmount: boolean) =>
    `${needed === 2 ? "Two people" : `${needed} different people`} must approve this ${forAmount ? "amount" : "settlement"}. The first approval changes nothing for the partner: price and expiry stay.`,
  approvalGivenBy: (place: number, isMine: boolean, by: string, note: string | null) =>
    `${ORDINALS[place] ?? "A further"} approval by ${isMine ? "you" : by}, {time}${note ? `: “${note}”` : ""}.`,
  approvalVoid: "It no longer counts. The person has lost the role since, or is not one of those who may approve.",
  nextStep: (left: number, isMine: boolean) => {
    if (left > 1) return `${left} more approvals from other people are needed.`;
    if (left < 1) return "There are enough approvals. Someone who gave one, or anyone else who may approve, must finish it.";
    return isMine ? "Another person must give the last one." : "The next approval decides, at the price of that moment.";
  },
  approvalsGiven: (given: number, needed: number) => `${given} of ${needed}`,
  beingReviewedBy: (by: string) => `Being reviewed by ${by}`,
};

export const QUEUE_ROW = {
  select: (externalMerchantId: string, source: string, sourceCurrency: string) =>
    `Select ${externalMerchantId}, ${source} ${sourceCurrency}`,
  waitsForOthers: "Waits for another person's yes",
  noPrice: ", no price now",
  partnerMustPoll: "The partner must poll",
  noCallback: "No callback",
};

export const USE_QUEUE = {
  nextSettlement: "Next settlement",
  previousSettlement: "Previous settlement",
  select: "Select the chosen settlement",
  approve: "Approve the chosen settlement",
  reject: "Reject the chosen settlement",
  clearOrBack: "Clear the selection, or go back to the list",
  decidedAndRemaining: (outcome: string, externalMerchantId: string, waiting: number) =>
    `${outcome} ${externalMerchantId}. ${waiting - 1} left here.`,
  outcomes: { approved: "Approved", recorded: "Approval recorded for", rejected: "Rejected" },
};

export const APPROVAL_QUEUE = {
  waiting: "Waiting",
  needsSecondApproval: "Needs second approval",
  awaitingSecondApproval: "Awaiting a second approval",
  noneAwaitSecond: "Nothing waits for a second approval",
  batches: "Batches",
  lapsedAfterApproval: "Lapsed after approval",
  approvals: "Approvals",
  noneWaiting: "Nothing waiting",
  medianDecision: (given: string) => `Half of the decisions of the last 24 hours took less than ${given}.`,
  whatComesHere: "Settlements above a pair's maximum come here, and those for which a limit or your approval policy asks.",
};

export const RISK = {
  noneFound:
    "Checked, nothing found: new or changed wallet, three times the usual amount of a merchant with five or more settlements in 30 days, several just under the approval limit in 24 h, repeats in 10 min.",
  hints: {
    wallet_changed: "Wallet changed",
    just_under_maximum: "Just under the limit",
    far_above_usual: "Far above usual",
    repeated: "Repeated",
    first_wallet_use: "First use of wallet",
  },
  evidence: (count: number) => `Based on ${count} ${count === 1 ? "settlement" : "settlements"}`,
  usualAmount: (compared: string) => `95 in 100 of its amounts stayed below {money}. ${compared} amounts were compared.`,
};

export const PAST_LIST = {
  verbs: {
    "settlement.approved": "Approved",
    "settlement.rejected": "Rejected",
    "settlement.approval_recorded": "First approval",
  } as Readonly<Record<string, string>>,
  partnerMerchant: "Partner · merchant",
  netAmount: "Net amount",
  yourDecision: "Your decision",
  statusNow: "Status now",
  noteOrReason: "Note or reason",
  lapsed: "Lapsed",
  decidedCaption: "Settlements that you decided, the latest first",
  noneDecided: "Nothing decided yet",
  noneDecidedMore: "What you approve or reject is listed here.",
  lapsedCaption: "Approved settlements that lapsed, the latest first",
  noneLapsed: "Nothing lapsed",
  noneLapsedMore: "Approved settlements whose partner let the new price run out are listed here.",
};

export const DECISION_STATE = {
  decidedOf: (count: number, waiting: number) => `${count - waiting} of ${count} are decided, ${waiting} still await a decision.`,
  firstOfTwo: (first: string, at: string) => `one of two approvals is recorded, by ${first}, ${at}.`,
  stillAwaits: "it still awaits a decision. Your request will not be carried out later. Press again if you still want it.",
  noLongerAwaits: (status: string) => `it no longer awaits a decision: it is ${status}.`,
  decidedBy: (approved: boolean, decision: string, at: string) => `it is ${approved ? "approved" : "rejected"}, by ${decision}, ${at}.`,
};

export const PANEL = {
  label: "Decision",
  backToList: "Back to the list",
  pricingUnavailable: (detail: string) => `Pricing unavailable: ${detail}`,
  closeDecision: "Close the open decision",
  toAcknowledge: (count: number) => `Acknowledge ${count === 1 ? "the warning" : `${count} warnings`} to approve`,
  waitingSince: "Waiting since {time}",
  openSettlement: "Everything about this settlement",
};

export const PRICE_CHANGE = {
  samePrice: "Same price:",
  ofFee: "fee",
  atRate: "at {rate}",
  validOnceApproved: "Once approved, it is valid until {time}.",
  lapsedAndRenewed: "Original quote lapsed; approving renews it until {time}.",
  title: "Quoted price and price on approval",
  caption: "The quoted price and the price on approval",
  quoted: "Quoted",
  onApproval: "On approval",
  differenceHeading: "Change",
  net: (unit: string) => `Net, ${unit}`,
  unchanged: "unchanged",
  percent: (percent: string) => `${percent} %`,
  bps: (bps: string) => `${bps} bps`,
};

export const WAITING = {
  due: ", due",
  late: ", late",
  waiting: "waiting",
};
