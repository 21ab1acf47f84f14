/** Texts of these parts. */

export const SECRET_ONCE = {
  onlyTimeYou: "This is the only time that you can see it.",
  youNeitherCopied: "You have neither copied nor downloaded it. Once you close this, no one can show it again.",
  closeWithout: "Close without it",
  done: "Done",
  iStored: "I have stored it",
  values: "Values",
  copy: (label: string) => `Copy ${label}`,
  copyButton: "Copy",
  signedCurl: "Signed cURL",
  formsSecret: "Forms of the secret",
  downloadEnv: "Download .env",
  copied: (label: string) => `Copied: ${label}`,
  copiedNotice: "Copied",
  browserAllowsNo: "The browser does not allow copying. Select the text instead.",
};

export const DEED_DIALOG = {
  reason: "Reason",
  leastEightCharacters: "At least eight characters; for the audit log",
  cancel: "Cancel",
  typeConfirm: (typed: string) => `Type “${typed}” to confirm`,
};

export const LOADED_DIALOG = {
  close: "Close",
};

export const STEP_UP_DIALOG = {
  confirmYou: "Confirm that it is you",
  password: "Password",
  nextFiveMinutes: "You will not be asked again for five minutes",
  cancel: "Cancel",
  confirm: "Confirm",
  oneTimeCode: "One-time code",
  fromYourAuthenticator: "From your authenticator app, or one of your recovery codes",
  recoveryCode: "Recovery code",
  ifDeviceWith: "If you do not have the device with your passkey",
};

export const USE_DEED = {
  notDone: "Not done",
  notDoneYour: "Not done: your session had ended",
  whatYouFilled: "What you entered is still here. Sign in, then press again.",
  notSent: "Not sent",
  browserOfflineNothing: "This browser is offline. Nothing is sent later automatically. Press again when it is online.",
  unknownOutcome: "It may or may not have arrived",
  noAnswerCame: "No answer came. The page is loading again. Check it first.",
  checking: "No answer came. Checking the outcome …",
  outcomeUnreadable: "No answer came, and the outcome cannot be read right now.",
  checkAgain: "Check again",
  checkedAt: "No answer came. Checked at {time}: {found}",
};
