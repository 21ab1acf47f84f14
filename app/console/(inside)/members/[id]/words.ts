export const PAGE = {
  title: "Member",
};

export const MEMBER_PAGE = {
  memberId: "member id",
  editShortcut: "Edit this member",
  edit: "Edit",
  topUp: "Top up",
  volume: "30-day volume",
};

export const SAFE_PART = {
  reasonUnknown: "the reason is not known.",
  queuedMore: (externalUserId: string) => `A Safe is deployed for ${externalUserId}.`,
  deployAgain: "Deploy again",
  readingChain: "Reading the chain",
  refresh: "Refresh",
  ownWallet: "The member brought this wallet. It is not a Safe, and only its owner can move its funds.",
  noSafe: "There is no Safe at this address on the chain.",
  safesAddress: "Safe's address",
  ofOwners: (threshold: number, owners: number) => `${threshold} of ${owners} owner${owners === 1 ? "" : "s"}`,
  owners: (count: number) => (count === 1 ? "Owner" : "Owners"),
  balance: (currency: string) => `Holds ${currency}`,
  failed: "The Safe could not be deployed: {reason}",
  readAt: (block: string) => `Read at block ${block}, {time}`,
  nonce: "Transactions so far (nonce)",
  modules: "Modules",
  module: "module",
  fallbackHandler: "Fallback handler",
  fallbackHandlerNoun: "fallback handler",
  guard: "Guard",
  guardNoun: "guard",
  logic: "Logic (master copy)",
  masterCopy: "master copy",
};

export const ORDERS_PART = {
  topUpsCaption: "The member's newest top-ups",
  withdrawalsCaption: "The member's newest withdrawals",
  allOrders: "All of this member's",
};

export const STORY = {
  safeDeployed: "Safe deployed",
  safeFailed: "Safe failed",
  events: {
    "member.created": "Created",
    "member.updated": "Changed",
    "member.safe_requested": "Safe requested again",
  } as Readonly<Record<string, string>>,
  fields: { phone: "phone", name: "name", email: "e-mail address" } as Readonly<Record<string, string>>,
  changed: (event: string, fields: string) => `${event}: ${fields}`,
};
