/** Texts of these parts. */

const ORDINALS = ["First", "Second", "Third", "Fourth"];
const COUNTS = ["", "one", "two", "three", "four", "five"];

export const PAGE = { title: (id: string) => `Settlement ${id}` };

export const TIMELINE_NODES = {
  quoted: "Quoted",
  acknowledged: "Warnings acknowledged",
  approvalInPart: "Approval, more needed",
  approvalOf: (given: number, needed: number) => `${ORDINALS[given - 1] ?? "A further"} of ${COUNTS[needed] ?? "several"} approvals`,
  approved: "Approved",
  rejected: "Rejected",
  confirmed: "Confirmed",
  cancelled: "Cancelled",
  executed: "Executed",
  failed: "Failed",
  held: "Held for a decision",
  released: "Released",
  refused: "Refused",
  screened: "Screening completed",
  reverted: "Reverted on the chain, paid again",
  orphaned: "Dropped from the chain, sent again",
  supersededOrphaned: "The superseded payment left the chain, and its nonce was used again",
  finalAgain: "Final on the chain again",
  callbackRequeued: "Callback queued again",
  quotedForApproval: "Quoted, approval requested",
  cancellingTransaction: "Cancelling transaction",
  paymentBumped: "Payment with a higher fee",
  signed: (what: string) => `${what} signed`,
  broadcast: (what: string) => `${what} broadcast`,
  callback: (event: string) => `${event} callback`,
  queued: (word: string) => `${word} queued`,
  delivered: (word: string) => `${word} delivered`,
  undelivered: (word: string) => `${word} undelivered`,
  decision: "Decision",
  confirmedByPartner: "Confirmed by the partner",
  paidOnChain: "Paid on the chain",
  callbackDelivered: "Callback delivered",
};

export const CALLBACKS_PART = {
  noneSent: "None: cancelling and rejecting send no callback.",
  partnerMustPoll: "No callback address was given at creation. The partner must poll to see the approval.",
};

export const SECTION_KEYS = {
  timeline: "To the timeline",
  callbacks: "To the callbacks",
  apiActivity: "To the API activity",
  partnerView: "To what the partner sees",
};

export const PRICE_REASONS = {
  title: "Why this price",
  sourceDecimals: (from: string, exponent: number) => `${from} has ${exponent} ${exponent === 1 ? "decimal" : "decimals"}.`,
  spread: (spreadBps: null | number) =>
    `The spread of ${spreadBps} basis points is taken off the mid rate; 12 significant digits are kept, rounded down.`,
  gross: (decimals: number, to: string) => `The source amount at the exchange rate, rounded down to ${decimals} decimals of ${to}.`,
  fee: "The platform fee is fixed. Nothing is rounded here.",
};

export const RAW_PART = {
  request: (txId: string) => `GET /api/v1/settlements/${txId}`,
  answer: "Answer of the API",
};

export const NEIGHBOURS = {
  next: "Next settlement in the list",
  previous: "Previous settlement in the list",
  previousWithKey: "Previous settlement (K)",
  nextWithKey: "Next settlement (J)",
};

export const PRICE_PART = {
  versions: "Versions of the quote",
  atApproval: (version: number) => `v${version} at approval`,
  pricedUntil: "Priced {priced}, valid until {until}.",
  caption: "Arithmetic of the price",
  per: (to: string, from: string) => `${to} per ${from}`,
  significantDigits: "at most 12 significant digits, rounded down",
  minorUnits: (exponent: number) => `{digits} minor units, ${exponent} decimals`,
  grossRounding: (exchangeRate: string, writtenDecimals: number) =>
    `{digits} × ${exchangeRate}, rounded down to ${writtenDecimals} decimals`,
  netToWallet: "Net to the wallet",
  ageThen: (age: string) => `, ${age} old then`,
  observed: (rateSource: null | string) => `${rateSource}, observed {time}`,
  copy: (name: string) => `Copy ${name}`,
};

export const NETWORK_COST = {
  about: "The network takes about {amount} for the payment.",
  toNewHolder: "The network takes about {amount} for the payment: the wallet has none of this currency yet.",
  unknown: "The network does not say what the payment would cost.",
  asking: "Asking the network what the payment would cost…",
};

export const FACTS = {
  waits: {
    treasury_funding: "The payment waits for the treasury to be funded.",
    chain_unavailable: "The payment waits for the chain or its signer.",
    review: "The payment waits for a person to review it.",
    signer_cap: "The payment waits until the signer's cap allows it, or two admins sign it.",
    hold: "The payment is held until a person releases it.",
  },
  rejected: "Rejected: {reason}",
  since: "Since {time}.",
  notConfirmedYet: "Not confirmed yet",
  quote: "Quote",
  trace: "Trace",
  traceId: "trace id",
  partnerConfirmsUntil: "The partner must confirm before then.",
  confirmedUntil: "It must be confirmed before then.",
  quoteValid: "Quote valid for",
  quoteLapsed: "Quote lapsed",
  wasValidUntil: "Was valid until {time}",
  confirmingReturns: "Confirming now returns {refusal}.",
  reprices: "Approving re-prices.",
  repricesAnyTime: "Approving re-prices the settlement, before or after this time.",
  originalQuoteLapsed: "Original quote lapsed",
  originalQuoteUntil: "Original quote until",
};

export const HISTORY_PART = {
  versions: { "settlement.created": "Price v1", "settlement.approved": "Price v2" } as Readonly<Record<string, string>>,
  rateChange: (before: string, after: string) => (before === after ? `: rate ${after}, unchanged` : `: rate ${before} → ${after}`),
  quotedAs: (reference: string) => `As ${reference}`,
};

export const PRICE_CHANGE = {
  title: "What the approval changed",
  differenceHeading: "Change",
  samePrice: "The approval priced it again, and the price is the same. It is valid until {until}; before, it was {before}.",
  label: "Price before and after approval",
  caption: (destinationCurrency: string) => `Price before and after approval, amounts in ${destinationCurrency}`,
  atApproval: "v2 at approval",
};

export const STORY = {
  somebody: "someone",
  actors: {
    system: "the service",
    operator: "the operator",
    operator_key: "an operator's key",
    api_key: "the partner's key",
  } as Readonly<Record<string, string>>,
  named: (kind: string, name: string) => `${kind} “${name}”`,
};

export const ACTIVITY_PART = {
  none: "In the last 30 days, no request changed it or was refused.",
  caption: "Requests about this settlement",
  allRequests: "All requests about it, including reads",
  answer: "Answer",
  ms: (durationMs: number) => `${durationMs} ms`,
};

export const ACTIONS = {
  confirmAsCurl: "Confirm as cURL",
  more: "More",
  getAsCurl: "GET as cURL",
  printReceipt: "Print receipt",
  approveSettlement: "Approve this settlement",
  rejectSettlement: "Reject this settlement",
};

export const SETTLEMENT_PAGE = {
  foundBy: (found: string) => `Found by its ${found}.`,
  price: "Price",
  payment: "Payment on the chain",
  apiActivity: "API activity",
  partnerView: "What the partner sees",
  audit: "Audit",
  thisSettlement: "this settlement",
};
