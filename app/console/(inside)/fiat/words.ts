export const PAGE = {
  title: "Fiat",
};

export const ORDERS = {
  withdrawal: { one: "withdrawal", many: "withdrawals", new: "New withdrawal", none: "No withdrawals yet" },
  topup: { one: "top-up", many: "top-ups", new: "New top-up", none: "No top-ups yet" },
  statuses: { pending: "Pending", processing: "Processing", completed: "Completed", failed: "Failed" },
  hasStatus: (text: string) => `is ${text}`,
  ofMember: "one member's",
  searchedBy: "id, reference or hash",
  noneMore: "A partner requests them through the API, or its owner requests them here.",
};

export const COLUMNS = {
  topUp: "Top-up",
  withdrawal: "Withdrawal",
  crypto: "Crypto",
  partnersOwnSafe: "Partner's own Safe",
};

export const POOL_PART = {
  playMoney: "The fiat provider is simulated. These pools hold play money.",
  none: "No pool yet",
  noneMore: "Open a pool with {command}. It records what was paid in at the provider.",
  caption: "Fiat pools",
  available: "Available",
  reserved: "Reserved for withdrawals",
  incoming: "Coming in",
  largestWithdrawal: "Largest withdrawal",
  lowWaterMark: "Low-water mark",
  atProvider: "At the provider",
  notAsked: "Not asked",
  sameThere: "The same",
  notKnown: "Not known",
  low: "Low",
  missing: "{amount} below its mark",
  enough: "Enough",
  title: (currency: string) => `${currency}, 30 days`,
  summary: (before: string, day: string, now: string, currency: string) => `From ${before} on ${day} to ${now} ${currency} now.`,
  dayUtc: "Day (UTC)",
  in: "In",
  out: "Out",
  balanceAtEnd: "Balance at the end",
  chartLabel: (currency: string) => `Balance of the ${currency} pool at the end of each day`,
  chartAxis: (currency: string) => `${currency} balance, by day, UTC`,
};

export const FUND_POOL = {
  fund: "Fund…",
  pool: (currency: string) => `the ${currency} pool`,
  title: (currency: string) => `Fund the ${currency} pool`,
  more: "Adds play money to the pool at once. The audit log records who added it.",
  amount: "Amount of play money",
  amountHint: (currency: string) => `In ${currency}. The pool's low-water mark is proposed.`,
  add: (amount: string) => `Add ${amount}`,
  addNothing: "Add play money",
  funded: "Pool funded",
  fundedWith: (amount: string) => `${amount} of play money`,
};

export const UNCLEAR_ORDERS = {
  title: "For an operator: unclear or paid late",
  line: "{order} of {partner}, {amount}, {since}. {reason}",
};
