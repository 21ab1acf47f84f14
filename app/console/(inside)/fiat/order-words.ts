export const ORDER_DIALOG = {
  withdrawal: {
    title: "New withdrawal",
    ask: (amount: string) => `Withdraw ${amount}`,
    already: "This withdrawal already exists",
    queued: "Withdrawal queued",
  },
  topup: {
    title: "New top-up",
    ask: (amount: string) => `Collect ${amount}`,
    already: "This top-up already exists",
    queued: "Top-up queued",
  },
};

export const CANCEL_ORDER = {
  keep: "Keep it",
  withdrawal: {
    cancel: "Cancel withdrawal",
    title: "Cancel this withdrawal?",
    consequence: "The Safe keeps its crypto, the pool's reservation ends, and the payee gets nothing. You cannot undo this.",
    cancelled: "Withdrawal cancelled",
  },
  topup: {
    cancel: "Cancel top-up",
    title: "Cancel this top-up?",
    consequence: "Nobody is asked to pay, and no crypto is sent. You cannot undo this.",
    cancelled: "Top-up cancelled",
  },
};

export const ORDER_FORM = {
  urlWanted: "Enter a full URL, https://…",
  memberWanted: "Choose a member.",
  between: (minimum: string, maximum: string) => `${minimum} to ${maximum}`,
  amountWanted: "Enter an amount such as 1,234.50.",
  available: (available: string) => `${available} available`,
  accountHint: "Phone or account number",
  accountWanted: "Enter a phone or account number.",
  holder: "Account holder's name",
  holderWanted: "Enter the account holder's name.",
  callbackAddress: "Callback address",
  referenceWanted: "Enter your reference.",
  outOf: "Out of",
  noneOwn: "(none)",
  memberHint: "The member's external id. Type to search by name or phone.",
  memberSafe: "A member's Safe",
  memberWalletOption: (name: string) => `${name}, own wallet`,
  memberSafeOption: (name: string, state: string) => `${name}, ${state.toLowerCase()} Safe`,
  topup: {
    amount: "To collect",
    crypto: "Deliver",
    account: "Collect from",
    reference: "Your reference. Using it again does not create a second top-up.",
  },
  withdrawal: {
    amount: "To pay out",
    crypto: "Take",
    account: "Pay to",
    reference: "Your reference. Using it again does not create a second withdrawal.",
  },
};

export const ORDER_REVIEW = {
  collectedFrom: "Collected from",
  deliveredTo: "Delivered to",
  topupNote: "The price is fixed when you collect. It does not change, however late the payer is.",
  notCovered: (crypto: string) => `The Safe does not hold enough ${crypto} for this withdrawal.`,
  safeBalance: "Safe balance",
  poolAvailable: "Pool available",
  withdrawalNote: "The price is fixed when you withdraw. It may differ from this one if the rate moves first.",
};

export const REVIEW_SUM = {
  withdrawal: "Arithmetic of the withdrawal",
  toPayee: "To the payee",
  partnersFee: "Partner's fee",
  feeNote: (feePercentage: string) => `${feePercentage} %, rounded down`,
  toCover: "To cover",
  per: (one: string, other: string) => `${one} per ${other}`,
  withdrawalNote: (total: string, rate: string) => `${total} ÷ ${rate}, rounded up`,
  topup: "Arithmetic of the top-up",
  fromPayer: "From the payer",
  toConvert: "To convert",
  topupNote: (total: string, rate: string) => `${total} × ${rate}, rounded down`,
  withSpread: "spread included",
};
