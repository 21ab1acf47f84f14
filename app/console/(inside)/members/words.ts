export const PAGE = {
  title: "Members",
};

export const MEMBER_LIST = {
  one: "member",
  many: "members",
  searchedBy: "reference, name, phone or wallet",
  none: "No members yet",
  noneMore: "A member is an end customer with a wallet. A member without a wallet gets a Safe.",
};

export const COLUMNS = {
  volume: "30-day volume",
};

export const MEMBER_FORM = {
  memberCreated: "Member created",
  memberExists: "This member already exists",
  createMember: "Create member",
  externalIdHint: "Your own id for this member. You cannot change it later.",
  externalIdWanted: "Enter your id for this member.",
  phoneHint: "With country code, such as +254 712 345 678.",
  walletHint: "Optional. Without a wallet, the service deploys a Safe.",
};

export const EDIT_MEMBER = {
  title: "Edit member",
  changed: "Member changed",
  unchangeable: "External id, wallet and chain cannot be changed.",
};

export const MEMBER_RULES = {
  phone: "Enter a phone number with country code, such as +254 712 345 678.",
  email: "Enter an e-mail address.",
};

export const DEPLOYMENT_PROGRESS = {
  label: "Progress of the deployment",
  underReview: (reviewReason: string) => `Under review: ${reviewReason}`,
  stages: { queued: "Queued", signed: "Signed", broadcast: "Broadcast", confirming: "Confirming", checked: "Checked" },
};

/** The state of a member's Safe, where the context already names the Safe. */
export const SAFE_STATES = {
  deploying: "Deploying",
  deployed: "Deployed",
  failed: "Failed",
  own: "Own wallet",
};

export const SAFE_BADGE = {
  deployed: "Safe deployed",
  failed: "Safe failed",
  deploying: "Deploying Safe",
  own: "Own wallet",
};
