/** Texts of the overview's plots. */

/** Settlements by outcome, and the funnel from quote to execution. */
export const OUTCOMES = {
  title: "Settlements by outcome",
  none: "No settlements were created in this range.",
  summary: (created: string, executed: string) => `${created} created; ${executed} of them executed so far.`,
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
  sumsAbove: (dashed: boolean) => `The sums are above${dashed ? "; dashed: the period before" : ""}.`,
  before: (token: string) => `${token} before`,
  allPairs: "All pairs",
};

/** The units of a plot's columns. */
export const SPANS = {
  day: "by day, UTC",
  hours: (hours: number) => `every ${hours} hours, UTC`,
  hour: (zone: string) => `by hour, ${zone}`,
  minutes: (minutes: number, zone: string) => `every ${minutes} minutes, ${zone}`,
};

export const CALLBACK_CHART = {
  firstAttemptLegend: "At first",
  none: "No callbacks were sent in this range.",
  summary: (tried: number, delivered: string, of: string, atFirst: string, undelivered: string, retried: string) =>
    `${tried === 0 ? "" : `${delivered} of ${of} delivered, ${atFirst} at the first attempt; `}${undelivered} undelivered, ${retried} failed and still being retried.`,
  tried: "Tried",
  firstAttempt: "At the first attempt",
  stillRetried: "Still being retried",
  caption: "Callbacks delivered, in per cent",
};

export const TIMING_CHARTS = {
  p50: "p50",
  p95: "p95",
  executionTitle: "Confirmed to executed",
  noneExecuted: "No settlements were executed in this range.",
  executionSummary: (chain: string, slowest: string) => `On ${chain}; p95 at most ${slowest}.`,
  executionCaption: (chain: string) => `Seconds from confirmation to execution on ${chain}`,
  waitingNow: "Waiting now",
  whenDecided: "When decided",
  decidedSince: (since: string) => `over ${since}`,
  approvalTitle: "Age of approvals",
  approvalNone: "None are waiting, and none were decided in this range.",
  approvalSummary: (waiting: string, decided: string) => `${waiting} are waiting now; ${decided} were decided in this range.`,
  approvalCaption: "Approvals by age",
  ageSinceCreation: "Age since creation",
  decisions: "Decisions",
  noDecisions: "No decisions were made in this range.",
  decisionsSummary: (approved: string, rejected: string) => `${approved} approved, ${rejected} rejected.`,
};

export const TREASURY_CHARTS = {
  notUsed: "not used",
  paysFees: "pays fees",
  moreThanDays: (given: number) => `> ${given / 24} d`,
  runwayTitle: "Wallet runway",
  noWallet: "No wallet has been read yet.",
  allLast: (given: number) => `Every balance lasts longer than ${given} hours at the rate of the last 24.`,
  shortestRunway: (balance: string, hours: number) => `${balance}: less than ${hours} hours, or low.`,
  usedLastDay: "Used in 24 h",
  lowInWallets: (low: number, wallets: number) => (low === wallets ? ", low" : `, low in ${low} of ${wallets} wallets`),
  partlyLow: (currency: string, low: number, wallets: number) => `${currency} is low in ${low} of ${wallets} wallets.`,
  onChain: (currency: string, chain: string) => `${currency} on ${chain}`,
  ratesTitle: "Age of rates",
  noRates: "There are no rates yet.",
  allFresh: (count: number) => (count === 1 ? "The rate is fresh." : `All ${count} are fresh.`),
  tooOldToQuote: (given: string) => `${given}: no rate to quote from.`,
  ratesCaption: "Rates and pairs",
  tooOldSuffix: ", too old",
};
