export const PARTNER_PAGE = {
  facts: "Facts",
  keys: "Keys",
  terms: "Terms",
  people: "People",
  audit: "Audit",
  partners: "Partners",
  suspend: "Suspend",
  letAgain: "Let in again",
  tabs: "Parts of the partner",
  paidOut: "Paid out, 30 days",
  settlements: "Settlements, 30 days",
  callbacks: "Callbacks",
  noneUndelivered: "None undelivered",
  members: "Members",
  fee: "Fee on top-ups and withdrawals",
  changeFee: "Change fee",
  roles: "Roles",
  wallet: "Wallet",
  none: "none",
  theWallet: "wallet",
  partnerId: "Partner id",
  thePartnerId: "partner id",
  created: "Created",
  lastActivity: "Last activity",
  never: "never",
  everything: "Everything that was recorded of this partner",
  viewAs: "View as partner",
  counts: (created: string, executed: string, failed: string) => `${created} created, ${executed} executed, ${failed} failed`,
  retrying: (callbacks: string) => `${callbacks} being tried again`,
  undelivered: (callbacks: string) => `${callbacks} undelivered`,
};

export const OWN_TERMS = {
  none: (name: string) => `${name} has no terms of its own`,
  noneMore: "It is quoted under the pairs' terms.",
  rates: "Rates & pairs",
  open: "Open",
};

export const PARTNER_PEOPLE = {
  adminsAlone: "Only admins see who the people of a partner are.",
  manage: "Invite and manage people",
  none: "Nobody looks at the console for it yet",
  caption: "People of the partner",
  shutOut: "shut out",
  never: "never",
  name: "Name",
  email: "E-mail address",
  role: "Role",
  factors: "Two factors",
  on: "On",
  off: "Off",
  lastActive: "Last active",
};

export const FEE_DIALOG = {
  title: (name: string) => `Fee of ${name}`,
  means: "It holds for top-ups and withdrawals that come from now on. What is under way keeps its own.",
  changeFee: "Change fee",
  feeChanged: "Fee changed",
  goOn: (current: string) => `Go on from ${current} %`,
  newFeePercent: "New fee in percent",
  feeWanted: "0 to 100, with at most four decimals",
};

export const STATUS_DIALOG = {
  suspended: "Partner suspended",
  letInAgain: "Partner let in again",
  suspendMeans:
    "Every request with its keys is refused from the next one on. What is under way runs to its end, and callbacks are still sent.",
  letAgainMeans: "Its keys work again from the next request on.",
  suspendPartner: "Suspend partner",
  letAgain: "Let in again",
  suspendTitle: (name: string) => `Suspend ${name}`,
  letAgainTitle: (name: string) => `Let in again: ${name}`,
};

export const PAGE = {
  title: (id: string) => `Partner ${id}`,
};
