/** Texts of the overview's plots. */

/** Settlements by outcome, and the funnel from quote to execution. */
export const OUTCOMES = {
  title: "Settlements by outcome",
  none: "No settlements were created in this range.",
  summary: (created: string, executed: string) => `${created} created; ${executed} of them executed so far.`,
  when: "When",
  created: "Created",
  funnel: {
    title: "From quote to execution",
    summary: (confirmed: string, created: string, executed: string) =>
      `${confirmed} of ${created} were confirmed, ${executed} are executed.`,
    stage: "Stage",
    settlements: "Settlements",
    share: "Of created",
    confirmed: "Confirmed",
    executed: "Executed",
    lossBefore: "before confirmation",
    lossAfter: "after confirmation",
  },
};

/** Delivered amounts, by token. */
export const VOLUME = {
  title: "Volume delivered",
  none: "Nothing was delivered in this range.",
  and: " and ",
  dashed: "; dashed: the period before",
  before: (token: string) => `${token} before`,
  pair: "Pair",
  allPairs: "All pairs",
  when: "When",
  executed: "Executed",
};

/** The units of a plot's columns. */
export const SPANS = {
  day: "by day, UTC",
  hours: (hours: number) => `every ${hours} hours, UTC`,
  hour: (zone: string) => `by hour, ${zone}`,
  minutes: (minutes: number, zone: string) => `every ${minutes} minutes, ${zone}`,
};

export const CALLBACK_CHART = {
  delivered: "Delivered",
  first: "At first",
  created: "Created",
  callbacksDelivered: "Callbacks delivered",
  noneSentRange: "No callbacks were sent in this range.",
  undeliveredFailedStill: (tried: number, given: string, tried2: string, given2: string, given3: string, given4: string) =>
    `${tried === 0 ? "" : `${given} of ${tried2} delivered, ${given2} at the first attempt; `}${given3} undelivered, ${given4} failed and still being retried.`,
  when: "When",
  tried: "Tried",
  firstAttempt: "At the first attempt",
  undelivered: "Undelivered",
  stillRetried: "Still being retried",
  callbacksDeliveredPer: "Callbacks delivered, in per cent",
};

export const PACE_CHARTS = {
  p50: "p50",
  p95: "p95",
  executed: "Executed",
  confirmedExecuted: "Confirmed to executed",
  noneExecutedRange: "No settlements were executed in this range.",
  p95Most: (chain: string, slowest: string) => `On ${chain}; p95 at most ${slowest}.`,
  chain: "Chain",
  when: "When",
  secondsFromConfirmation: (chain: string) => `Seconds from confirmation to execution on ${chain}`,
  waitingNow: "Waiting now",
  whenDecided: "When decided",
  over: (since: string) => `over ${since}`,
  ageApprovals: "Age of approvals",
  noneWaitNone: "None are waiting, and none were decided in this range.",
  waitNowDecided: (waiting: string, decided: string) => `${waiting} are waiting now; ${decided} were decided in this range.`,
  age: "Age",
  approvalsByAge: "Approvals by age",
  ageSinceCreation: "Age since creation",
  approved: "Approved",
  rejected: "Rejected",
  decided: "Decided",
  decisions: "Decisions",
  noneMadeRange: "No decisions were made in this range.",
  approvedRejected: (approved: string, rejected: string) => `${approved} approved, ${rejected} rejected.`,
};

export const STANDING_CHARTS = {
  notUsed: "not used",
  paysFees: "pays fees",
  d: (given: number) => `> ${given / 24} d`,
  walletRunway: "Wallet runway",
  noWalletBeen: "No wallet has been read yet.",
  everyBalanceLasts: (given: number) => `Every balance lasts longer than ${given} hours at the rate of the last 24.`,
  lessThanHours: (given: string, given2: number) => `${given}: less than ${given2} hours, or low.`,
  currency: "Currency",
  chain: "Chain",
  balance: "Balance",
  used24H: "Used in 24 h",
  lasts: "Lasts",
  low: (low: number, wallets: number) => (low === wallets ? ", low" : `, low in ${low} of ${wallets} wallets`),
  partlyLow: (currency: string, low: number, wallets: number) => `${currency} is low in ${low} of ${wallets} wallets.`,
  fresh: "fresh",
  fixed: "fixed",
  onChain: (currency: string, chain: string) => `${currency} on ${chain}`,
  tooOld: "too old",
  missing: "no rate",
  ageRates: "Age of rates",
  thereNoRates: "There are no rates yet.",
  allFresh: (count: number) => `All ${count} are fresh.`,
  tooOldQuote: (given: string) => `${given}: no rate to quote from.`,
  ratesPairs: "Rates and pairs",
  pair: "Pair",
  age: "Age",
  state: "State",
  commaTooOld: ", too old",
};
