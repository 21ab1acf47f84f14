/** Texts of the overview. The names of states are those of their badges. */

const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const OVERVIEW = {
  title: "Overview",
  more: "More figures",
  fewer: "Fewer figures",
  newest: "Newest settlements",
  newestCaption: "The ten newest settlements",
  all: "All settlements",
  noneYetMore: "The steps above lead to the first one.",
  loadingHealth: "Loading service health",
  loadingFigures: "Loading the key figures",
  loadingPlot: "Loading a chart",
};

/** The health of the service, in five words and their signs. */
export const HEALTH = {
  label: "Health",
  unknown: "not known",
  worker: { name: "Worker", well: "working", gone: "none is running", behind: "due work is waiting", payments: "payments are waiting" },
  service: { name: "Service", well: "answers", slow: "has trouble answering", delayed: "payments are delayed", away: "does not answer" },
  chain: {
    name: "Chain",
    well: "producing blocks",
    still: "no new blocks",
    halted: (halts: number) => some(halts, "halt in force", "halts in force"),
  },
  callbacks: {
    name: "Callbacks",
    well: "all delivered",
    none: "none sent yet",
    failing: (undelivered: number, retrying: number) =>
      [
        ...(undelivered > 0 ? [`${undelivered.toLocaleString("en")} undelivered`] : []),
        ...(retrying > 0 ? [`${retrying.toLocaleString("en")} retrying`] : []),
      ].join(", "),
  },
  rates: {
    name: "Rates",
    well: (count: number) => (count === 0 ? "none yet" : count === 1 ? "fresh" : `all ${count} fresh`),
    partner: "quoting",
    halted: (pairs: readonly string[]) => (pairs.length === 1 ? `${pairs[0]} not quoted` : `${pairs.length} pairs not quoted`),
  },
  openQuotes: {
    name: "Open quotes",
    none: "none",
    pairs: (count: number) => `in ${count} pairs`,
    /** `change`: what the rate has done to it since; null: nothing. */
    open: (pair: string, open: string, change: string | null) => `${pair} ${open}${change === null ? "" : `, ${change} by the rate since`}`,
  },
  attestation: {
    name: "Attestation of holdings",
    none: "none yet",
    made: (hours: number, ago: string) => (hours < 1 ? "made within the hour" : `made ${ago} ago`),
    old: (ago: string) => `${ago} old`,
  },
  treasury: {
    name: "Treasury",
    well: "lasts",
    unread: "not read yet",
    lasts: (time: string) => `lasts ${time}`,
    low: (currency: string, low: readonly string[], wallets: number) =>
      low.length === wallets ? `${currency} low` : `${currency} low in ${low.join(", ")}, ${low.length} of ${wallets} wallets`,
  },
};

/** What needs somebody, each with its verb. */
export const OPENING = {
  queue: "My queue",
  title: "What needs attention",
  label: "Needs attention",
  need: (count: number) => {
    if (count === 0) return "Nothing needs attention.";
    return count === 1 ? "One thing needs attention." : `${count} things need attention.`;
  },
  money: { moves: "Payments are going out.", waits: "Payments are waiting.", unknown: "Whether payments are going out is not known now." },
  oldest: (age: string) => `oldest ${age}`,
  others: (count: number) => `and ${count === 1 ? "one waits" : `${count} wait`} for another person's yes`,
  confirm: (count: number) => some(count, "proposal awaits another person's yes", "proposals await another person's yes"),
  awaiting: (count: number) => some(count, "settlement awaits approval", "settlements await approval"),
  review: (count: number) => some(count, "payment needs review", "payments need review"),
  held: (count: number) => some(count, "payment is held for a decision", "payments are held for a decision"),
  ambiguous: (count: number) => `${some(count, "order is", "orders are")} unclear at the provider, or paid too late`,
  approved: (count: number) => `${count} approved, to be confirmed before ${count === 1 ? "it lapses" : "they lapse"}`,
  slow: (count: number) => `${count} processing > 10 m`,
  verbs: {
    decide: (count: number) => `Decide ${count}`,
    confirm: (count: number) => `Confirm ${count}`,
    review: (count: number) => `Review ${count}`,
    release: (count: number) => `Release or refuse ${count}`,
    resolve: (count: number) => `Resolve ${count}`,
    resend: (count: number) => `Resend ${count.toLocaleString("en")}`,
    look: (count: number) => `See ${count.toLocaleString("en")}`,
    see: "See",
    treasury: "Top up",
  },
};

/** The key figures and their definitions. */
export const FIGURES = {
  label: (chosen: string, before: string | null) => `Key figures: ${chosen}${before === null ? "" : ` against ${before}`}`,
  helpOf: (name: string, help: string) => `${name}: ${help}`,
  noneBefore: "none before",
  nothingBefore: (before: string) => `Nothing to compare with: no settlements in ${before}.`,
  wasValue: (value: string) => `was ${value}`,
  changed: (change: string, value: string) => `${change}, was ${value}`,
  unchanged: "as before",
  volume: {
    name: "Volume",
    help: "Amounts delivered to wallets in this range, by token. Different currencies are never added together.",
    changes: (changes: string) => changes,
  },
  executed: { name: "Executed", help: "Settlements executed in this range, whenever they were created." },
  success: {
    name: "Success",
    of: "of those that were executed or failed",
    help: "Executed ÷ (executed + failed), of the settlements created in this range. Cancelled, rejected and lapsed ones count neither way.",
  },
  callbacks: { name: "Callbacks delivered" },
  execution: { name: "Quote to executed", help: "Median time from quote to execution, of the settlements executed in this range." },
  decision: { name: "Approval age", help: "Median time from creation to decision, of the approvals and rejections made in this range." },
  lapsed: {
    name: "Lapsed quotes",
    help: (left: string) =>
      `Quotes created in this range that were not confirmed in time.${left === "" ? "" : ` They would have delivered ${left}.`}`,
  },
};

/** The ranges and their comparisons. */
export const RANGES = {
  legend: "Range",
  "1h": { short: "1h", chosen: "Last hour", before: "the hour before" },
  "24h": { short: "24h", chosen: "Last 24 hours", before: "the 24 hours before" },
  "7d": { short: "7d", chosen: "Last 7 days", before: "the 7 days before" },
  "30d": { short: "30d", chosen: "Last 30 days", before: "the 30 days before" },
  days: "Days…",
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  dayBefore: "the day before",
  daysBefore: (days: number) => `the ${days} days before`,
  compare: "Compare",
  against: (before: string) => `Against ${before}`,
  choose: "Choose days",
  show: "Show these days",
  to: "To (inclusive)",
  noFirst: "Choose the first day.",
  noLast: "Choose the last day.",
  wrongOrder: "The last day is before the first day.",
  tooMany: (most: number) => `Choose at most ${most} days.`,
};

export const SETUP = {
  apiKey: "An API key",
  apiKeyMore: "An owner creates one; its secret is shown once.",
  firstSignedCall: "The first signed call",
  firstSignedCallMore: "POST /api/v1/echo shows how your signature was read.",
  firstQuote: "The first quote",
  firstQuoteMore: "POST /api/v1/settlements.",
  firstConfirmation: "The first confirmation",
  firstConfirmationMore: "POST …/confirm before the quote expires.",
  firstExecution: "The first execution",
  firstExecutionMore: "Happens automatically once the payment has enough confirmations.",
  firstCallback: "The first callback acknowledged",
  firstCallbackMore: "Your receiver verifies it and answers 2xx.",
  title: "Set up",
  goLive: "Then: the checklist before live mode",
  done: (done: number, count: number) => `${done} of ${count} done`,
  label: "Steps to the first settlement",
  doneLabel: "Done",
  linkTo: (word: string) => `to: ${word}`,
  how: "How",
};
