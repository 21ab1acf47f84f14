export const PAGE = {
  title: "Members",
};

export const MEMBER_LIST = {
  newMember: "New member",
  one: "member",
  many: "members",
  safe: "Safe",
  chain: "Chain",
  title: "Members",
  searchedBy: "reference, name, phone or wallet",
  safeDeployments: "Safe deployments",
  none: "No members yet",
  noneMore: "A member is an end customer with a wallet; without one of its own it is given a Safe.",
  readHow: "Read how",
};

export const COLUMNS = {
  member: "Member",
  name: "Name",
  phone: "Phone",
  safe: "Safe",
  wallet: "Wallet",
  theWallet: "wallet",
  volume: "30-day volume",
  created: "Created",
  partner: "Partner",
};

export const MEMBER_FORM = {
  newMember: "New member",
  memberCreated: "Member created",
  memberAlready: "This member was there already",
  createMember: "Create member",
  externalId: "External id",
  externalIdHint: "Your own name for this member; it cannot be changed.",
  externalIdWanted: "Your reference for this member.",
  phone: "Phone",
  phoneHint: "With its country's code, such as +254 712 345 678.",
  name: "Name",
  optional: "Optional",
  eMailAddress: "E-mail address",
  chain: "Chain",
  wallet: "Wallet",
  walletHint: "Optional: without a wallet a Safe is deployed.",
};

export const EDIT_MEMBER = {
  title: "Edit member",
  changed: "Member changed",
  phone: "Phone",
  name: "Name",
  eMailAddress: "E-mail address",
  kept: "External id, wallet and chain stay as they are.",
  save: "Save",
};

export const MEMBER_RULES = {
  phone: "A phone number with its country's code, such as +254 712 345 678.",
  email: "An e-mail address.",
};

export const DEPLOYMENT_PROGRESS = {
  label: "Progress of the deployment",
  underReview: (reviewReason: string) => `Under review: ${reviewReason}`,
  stages: { queued: "Queued", signed: "Signed", broadcast: "Broadcast", confirming: "Confirming", checked: "Checked" },
};

/** How the Safe of a member stands, where it is said that it is one. */
export const SAFE_STATES = {
  deploying: "Deploying",
  deployed: "Deployed",
  failed: "Failed",
  own: "Own wallet",
};

export const SAFE_BADGE = {
  deploying: "Deploying Safe",
  deployed: "Safe deployed",
  failed: "Safe failed",
  own: "Own wallet",
};
