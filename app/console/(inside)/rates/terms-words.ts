export const TERMS_DRAWER = {
  backVersion: (version: number) => `Back to version ${version}`,
  onVersion: (chain: string, version: number) => `On ${chain}, version ${version}`,
  termsOf: (pair: string) => `Terms of ${pair}`,
};

export const TERMS_FORM = {
  spreadHint: "Basis points off the mid rate",
  maximumHint: (source: string) => `${source}; a larger amount needs an approval`,
  secondThresholdHint: (source: string) => `${source}; empty: never`,
  batchMaximumHint: (source: string) => `${source}, all items together; empty: no maximum`,
  lifetimeHint: "Seconds",
  conflict: "Someone has changed these terms since you opened them. Nothing was saved. These terms are in force now:",
  compareVersion: (version: number) => `Compare with version ${version}`,
  reasonHint: (least: number) => `At least ${least} characters. The history keeps it.`,
  saveTerms: (pair: string) => `Save terms of ${pair}`,
  savePartners: "Save the partner's terms",
  notSaved: "Not saved",
  proposedMore: (pair: string) => `New thresholds of ${pair} apply once another admin confirms them.`,
  termsVersion: (pair: string, version: number) => `Terms of ${pair}, version ${version}`,
};

export const TERMS_PREVIEW = {
  title: "What this changes",
  unfinished: "Fill in every number to see the changes.",
  nothing: "No changes so far.",
  none: (obstacle: string) => `none (${obstacle})`,
  nonePriced: "No settlement has been priced under these terms yet.",
  quote: (amount: string, before: string) => `A quote of ${amount}: ${before}{after}`,
  approvals: (settlements: number, now: number, two: { proposed: number; current: number } | null) => {
    const last = settlements === 1 ? "1 settlement" : `${settlements} settlements`;
    const ofTwo = two === null ? "" : `, ${two.proposed} of them two (now ${two.current})`;
    return `{count} of the last ${last} would have needed approval (now ${now})${ofTwo}.`;
  },
};

export const OVERRIDES = {
  none: "No partner has terms of its own",
  noneMore: "All partners are quoted under the pair's terms.",
  viewTerms: "View",
  terms: (name: string) => `the terms of ${name}`,
  add: "Terms for one partner",
  addHint: "They replace all of the pair's terms, for this partner only.",
  choosePartner: "Choose a partner",
  backAllPartners: "Back to all partners",
  reason: "Reason for withdrawing",
  reasonHint: "From then on the pair's own terms apply.",
  withdrawTheseTerms: "Withdraw these terms",
  proposedMore: (pair: string) => `${pair}: the partner's terms end once another admin confirms it.`,
  withdrawnMore: (pair: string) => `${pair}: the pair's own terms apply to this partner.`,
};

export const HISTORY = {
  label: "Versions, the newest first",
  version: (version: number) => `Version ${version}`,
  theInstallation: "The installation",
  withdrawn: "Withdrawn: the pair's own terms apply.",
  goBackVersion: (version: number) => `Go back to version ${version}`,
};

export const TERMS = {
  labels: {
    enabled: "Enabled",
    spread_bps: "Spread",
    platform_fee: "Platform fee",
    minimum_source_amount: "Minimum",
    maximum_source_amount: "One approval above",
    two_approvals_above_amount: "Two approvals above",
    batch_maximum_source_amount: "Maximum of a batch",
    quote_lifetime_seconds: "Quote lifetime",
    approved_lifetime_seconds: "Lifetime after approval",
  },
  yes: "yes",
  no: "no",
  bps: (points: number) => `${points} bps`,
  minutes: (minutes: number) => `${minutes} min`,
  seconds: (seconds: number) => `${seconds} s`,
};
