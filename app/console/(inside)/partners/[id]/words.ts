export const PARTNER_PAGE = {
  facts: "Facts",
  keys: "Keys",
  terms: "Terms",
  people: "People",
  audit: "Audit",
  suspend: "Suspend",
  reactivate: "Reactivate",
  tabs: "Parts of the partner",
  paidOut: "Paid out, 30 days",
  settlements: "Settlements, 30 days",
  noneUndelivered: "None undelivered",
  members: "Members",
  fee: "Fee on top-ups and withdrawals",
  changeFee: "Change fee",
  none: "none",
  partnerId: "Partner id",
  partnerIdNoun: "partner id",
  lastActivity: "Last activity",
  everything: "Everything recorded about this partner",
  viewAs: "View as partner",
  counts: (created: string, executed: string, failed: string) => `${created} created, ${executed} executed, ${failed} failed`,
  retrying: (callbacks: string) => `${callbacks} being retried`,
  undelivered: (callbacks: string) => `${callbacks} undelivered`,
};

export const OWN_TERMS = {
  none: (name: string) => `${name} has no terms of its own`,
  noneMore: "It is quoted under the pairs' terms.",
  rates: "Rates & pairs",
  open: "Open",
};

export const PARTNER_PEOPLE = {
  adminsOnly: "Only admins can see the people of a partner.",
  manage: "Invite and manage people",
  none: "No one at this partner uses the console yet",
  caption: "People of the partner",
  deactivated: "deactivated",
  email: "E-mail address",
  factors: "Two factors",
  on: "On",
  off: "Off",
  lastActive: "Last active",
};

export const FEE_DIALOG = {
  title: (name: string) => `Fee of ${name}`,
  consequence: "It applies to top-ups and withdrawals from now on. Those in progress keep their own.",
  changeFee: "Change fee",
  feeChanged: "Fee changed",
  continueFrom: (current: string) => `Continue from ${current} %`,
  newFeePercent: "New fee in percent",
  feeWanted: "Enter 0 to 100, with at most four decimals",
};

export const STATUS_DIALOG = {
  suspended: "Partner suspended",
  reactivated: "Partner reactivated",
  suspendMeans: "From now on, requests with its keys are refused. Work in progress runs to its end, and callbacks are still sent.",
  reactivateMeans: "From now on, its keys work again.",
  suspendPartner: "Suspend partner",
  reactivate: "Reactivate",
  suspendTitle: (name: string) => `Suspend ${name}`,
  reactivateTitle: (name: string) => `Reactivate ${name}`,
};

export const PAGE = {
  title: (id: string) => `Partner ${id}`,
};
