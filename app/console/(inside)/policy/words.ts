/** Texts of the approval policy's screens. */

export const PAGE = { title: "Approval policy" };

export const POLICY = {
  floor: "Above a pair's maximum, one person must approve. Above its second threshold, two must. Rules can only require more.",
  rulesTitle: "Rules in force",
  rulesExplained:
    "Rules are checked in this order when a settlement is quoted, and the first match applies. Settlements that already wait keep the version they were quoted under.",
  none: "No rules",
  noneMore: "Only the pairs' maximums and limits require approval.",
  version: (version: number) => `Version ${version}`,
  inForce: (version: number) => `Version ${version} in force`,
  by: (name: string) => `by ${name}`,
  byCommandLine: "on the command line",
  change: "Change the policy",
  proposed: "A change waits for a second person.",
  proposedLink: "View the proposals",
  olderTitle: "Earlier versions",
  noRules: "No rules.",
};

export const DRAFT = {
  title: "Draft",
  explanation: "Nothing changes until you put the draft in force.",
  outdated: (version: number) => `Version ${version} came into force after you began. Start again to change that version.`,
  startAgain: "Start again",
  add: "Add a rule",
  noRules: "The draft has no rules. Only the pairs' terms require approval.",
  edit: (name: string) => `Edit ${name}`,
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  remove: (name: string) => `Remove ${name}`,
  unchanged: "The draft matches the policy in force.",
  putInForce: "Put in force…",
  discard: "Discard draft",
};

export const RULE_FORM = {
  newTitle: "New rule",
  editTitle: (name: string) => `Rule ${name}`,
  nameTaken: "Another rule has this name.",
  nameForm: "Use 3 to 60 lower-case letters, digits and hyphens.",
  any: "Any",
  noAmount: "Any amount",
  sourceAmount: "In the source currency, as paid in",
  tokenAmount: "In the token, as paid out",
  from: "From (inclusive)",
  below: "Below (exclusive)",
  amountForm: "Enter a plain number with a decimal point.",
  amountCurrencyWanted: "Choose the currency of the amount.",
  amountEmpty: "Enter a lower or an upper amount.",
  amountOrder: "The upper amount must be above the lower one.",
  hints: "Only if any of these is true",
  approvals: "How many different people must approve",
  people: "These people",
  deciders: "Anyone who decides",
  admins: "Admins",
  tooFew: "Choose at least as many people as must approve.",
  save: "Save to draft",
};

export const TRIAL = {
  title: "Test on past settlements",
  explanation:
    "Each settlement is tested as it was known when quoted. The approvals that its pair's terms and limits required then still count.",
  period: "Period",
  day: "The last 24 hours",
  week: "The last 7 days",
  month: "The last 30 days",
  quarter: "The last 90 days",
  run: "Test draft",
  runs: "Testing…",
  settlements: "settlements",
  failed: "The test could not run",
  outdated: "The draft or the period has changed since the test. Test again.",
  examined: (count: string) => `${count} ${count === "1" ? "settlement" : "settlements"} tested.`,
  sample: (count: string) => `A sample: the newest ${count} of the period, since`,
  wouldWait: (count: number) => (count === 1 ? "1 would have waited" : `${count.toLocaleString("en")} would have waited`),
  wouldNoLongerWait: (count: number) =>
    count === 1 ? "1 would no longer have waited" : `${count.toLocaleString("en")} would no longer have waited`,
  wouldNeedMore: (count: number) => `${count.toLocaleString("en")} waited and would have needed more people.`,
  wouldStillWait: (count: number) => `${count.toLocaleString("en")} waited and would still have waited.`,
  caption: (title: string) => `Settlements: ${title}`,
  newestShown: (shown: number, count: number) => `The newest ${shown} of ${count.toLocaleString("en")}`,
  sum: "Total",
  columns: { settlement: "Settlement", partner: "Partner", amount: "Amount", rule: "Rule", needed: "People", at: "Quoted" },
};

export const PROPOSE = {
  title: "Put the draft in force",
  explanation: "It applies from the next quote on. In live mode another admin must confirm it first.",
  changes: "What changes",
  added: "Added",
  changed: "Changed",
  moved: "Moved",
  kept: "Unchanged",
  removed: "Removed",
  putInForce: "Put in force",
  done: "The policy is in force",
  doneMore: (version: number) => `Version ${version}`,
  proposedMore: "It applies once another admin confirms it.",
};
