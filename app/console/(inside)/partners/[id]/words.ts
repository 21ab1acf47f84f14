export const PARTNER_PAGE = {
  facts: "Facts",
  audit: "Audit",
  suspend: "Suspend",
  tabs: "Parts of the partner",
  settlements: "Settlements, 30 days",
  noneUndelivered: "None undelivered",
  fee: "Fee on top-ups and withdrawals",
  partnerId: "Partner id",
  partnerIdNoun: "partner id",
  everything: "Everything recorded about this partner",
  viewAs: "View as partner",
  counts: (created: string, executed: string, failed: string) => `${created} created, ${executed} executed, ${failed} failed`,
  retrying: (callbacks: string) => `${callbacks} being retried`,
  undelivered: (callbacks: string) => `${callbacks} undelivered`,
};

export const OWN_TERMS = {
  none: (name: string) => `${name} has no terms of its own`,
  noneMore: "It is quoted under the pairs' terms.",
  open: "Open",
};

export const PARTNER_PEOPLE = {
  adminsOnly: "Only admins can see the people of a partner.",
  manage: "Invite and manage people",
  none: "No one at this partner uses the console yet",
  caption: "People of the partner",
  deactivated: "deactivated",
};

export const FEE_DIALOG = {
  title: (name: string) => `Fee of ${name}`,
  consequence: "It applies to top-ups and withdrawals from now on. Those in progress keep their own.",
  feeChanged: "Fee changed",
  continueFrom: (current: string) => `Continue from ${current} %`,
  newFeePercent: "New fee in percent",
};

export const STATUS_DIALOG = {
  suspended: "Partner suspended",
  reactivated: "Partner reactivated",
  suspendMeans: "From now on, requests with its keys are refused. Work in progress runs to its end, and callbacks are still sent.",
  reactivateMeans: "From now on, its keys work again.",
  suspendPartner: "Suspend partner",
  suspendTitle: (name: string) => `Suspend ${name}`,
  reactivateTitle: (name: string) => `Reactivate ${name}`,
};

export const PAGE = {
  title: (id: string) => `Partner ${id}`,
};
