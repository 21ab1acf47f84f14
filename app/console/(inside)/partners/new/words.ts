export const PAGE = {
  title: "New partner",
};

export const NEW_PARTNER = {
  partnerPage: "its page",
  nameWanted: "Enter a name",
  slugWanted: "Use lower-case letters and digits, with single dashes between them",
  walletAddress: "Wallet address",
  feePercent: "Fee in percent",
  feeHint: "On its top-ups and withdrawals; never on a settlement",
  createPartner: "Create partner",
  firstKey: "First key",
  partnerCreated: "Partner created",
  firstKeyOf: (name: string) => `First key of ${name}`,
  slugTaken: "Another partner already has this slug",
  slugFree: "Free",
  slugHint: "Unique. Used in paths and on the phone",
  walletKnown: "An address on one of our chains",
  walletHint: "Optional: the partner's own Safe, from which it withdraws",
  keyMissing: "The partner was created, but not its first key. Try again, or create one on {page}.",
};
