export const PAGE = {
  title: "Rates & pairs",
};

export const RATES_SCREEN = {
  none: "No pairs yet",
  noneMore: "Terms are set for the chains and tokens of the configuration.",
  caption: "Pairs with their rates and terms",
  halted: (pairs: number) => (pairs === 1 ? "Quoting is halted for 1 pair" : `Quoting is halted for ${pairs} pairs`),
  haltedBy: (pairs: string, cause: string) => `${pairs}: ${cause}.`,
  day: "24\u00a0h",
  onTerms: (chain: string) => `on ${chain}: terms`,
  bps: (points: number) => `${points} bps`,
  maximum: "One approval above",
  upTo: (amount: string) => `one approval above ${amount}`,
  twoApprovalsAbove: "Two approvals above",
  lifetime: "Lifetime",
  overrides: "Overrides",
};

export const PARTNER_PAIRS = {
  none: "No pairs yet",
  noneMore: "The operator has not opened any pair for you.",
  caption: "Pairs that you may quote",
  quoting: "Quoting",
  fee: (amount: string) => `fee ${amount}`,
  approvalAbove: "Approval above",
  approvalFrom: (amount: string) => `approval above ${amount}`,
  quoteLifetime: "Quote lifetime",
  copyApiCall: (pair: string) => `Copy ${pair} as an API call`,
};

export const CALCULATOR = {
  title: "Convert at the mid rate",
  amountWanted: "Enter an amount above zero",
  fromFiat: "Convert from fiat",
  toFiat: "Convert to fiat",
  rate: (from: string, rate: string, to: string) => `1 ${from} = ${rate} ${to}, before any spread and fee`,
  amountIn: (currency: string) => `Amount in ${currency || "units"}`,
};

export const RATE_SIGNS = {
  constant: (rate: number) => `${rate} throughout`,
  fromTo: (least: number, most: number) => `from ${least} to ${most}`,
  sparkline: (name: string, range: string) => `${name}, mid rates of the quotes of 24 hours: ${range}`,
};

/** Why a pair cannot be quoted: in a few words, and as a sentence for the banner. */
export const PAIR_STATES = {
  up: "Quoting",
  disabled: "Disabled",
  no_rate: "No rate",
  stale_rate: "Rate too old",
  unquotable_rate: "No price",
  chain_paused: "Chain halted",
  causes: {
    no_rate: "there is no rate, because the source has reported none or it was removed",
    stale_rate: "the source has not reported a rate for too long",
    unquotable_rate: "the rate and the spread give no usable price",
    chain_paused: "the chain is halted, or every wallet on it",
  },
};
