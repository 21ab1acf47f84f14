/** Texts of these parts. */

export const SECRET_ONCE = {
  shownOnce: "This is the only time that you can see it.",
  notSaved: "You have neither copied nor downloaded it. Once you close this, no one can show it again.",
  closeAnyway: "Close without it",
  stored: "I have stored it",
  values: "Values",
  copy: (label: string) => `Copy ${label}`,
  copyNow: "Copy",
  signedCurl: "Signed cURL",
  formats: "Forms of the secret",
  downloadEnv: "Download .env",
  copiedLabel: (label: string) => `Copied: ${label}`,
  copyingBlocked: "The browser does not allow copying. Select the text instead.",
};

export const CONFIRM_DIALOG = {
  reasonHint: "At least eight characters; for the audit log",
  typeToConfirm: (typed: string) => `Type “${typed}” to confirm`,
};

export const STEP_UP_DIALOG = {
  title: "Confirm that it is you",
  passwordHint: "You will not be asked again for five minutes",
  recoveryCode: "Recovery code",
  recoveryCodeHint: "If you do not have the device with your passkey",
  provider: "Sign in again with your company's identity",
  providerHint: "You come back to this page and repeat the action",
};

export const SIGN_DIALOG = {
  title: "Sign this decision",
  description: "Your passkey signs exactly these lines. Read them before you sign.",
  cancel: "Do not sign",
  sign: "Sign with a passkey",
  notThisText: "The device would sign something else than what is shown here. Do not sign it, and inform the operator of the service.",
  notSigned: "It was not signed. Try again.",
};

/** The names in a signed record, in the order in which they are shown; any other name is shown as it is, and last. */
export const SIGNED_NAMES = {
  action: "Action",
  amount: "Wallet receives",
  amount_out: "Takes out",
  token: "Token",
  recipient: "Recipient",
  wallet: "Out of the wallet",
  chain: "Chain",
  source_amount: "Source amount",
  source_currency: "Source currency",
  merchant: "Merchant",
  partner: "Partner",
  settlement: "Settlement",
  payment: "Payment",
  treasury_withdrawal: "Treasury withdrawal",
  owner: "Owed for",
  cap_period: "Above the cap of the",
  valid_hours: "Counts for (hours)",
  replaces: "Made again after",
  subject: "About",
  about: "Concerns",
  count: "Settlements",
  totals: "Sums",
  items: "Settlement",
  kind: "Kind",
  body: "Proposal",
  reason: "Reason",
  note: "Note",
  proposed_by: "Proposed by",
  exchange_rate: "Rate",
  platform_fee: "Fee",
  price_version: "Version of the price",
  tolerance_bps: "Tolerance (basis points)",
  token_address: "Token contract",
  person: "Signed by",
  asked_at: "Shown at",
  origin: "Site",
  nonce: "One-time number",
  version: "Version of this text",
};

export const CONFIRMED_MUTATION = {
  notDone: "Not done",
  sessionEnded: "Not done: your session had ended",
  inputKept: "What you entered is still here. Sign in, then press again.",
  notSent: "Not sent",
  offline: "This browser is offline. Nothing is sent later automatically. Press again when it is online.",
  unknownOutcome: "It may or may not have arrived",
  noAnswer: "No answer came. The page is loading again. Check it first.",
  checking: "No answer came. Checking the outcome …",
  notReadable: "No answer came, and the outcome cannot be read right now.",
  checkAgain: "Check again",
  checkedAt: "No answer came. Checked at {time}: {found}",
};
