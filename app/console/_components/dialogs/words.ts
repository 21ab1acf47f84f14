/** What these parts say, in one place. */

export const SECRET_ONCE = {
  onlyTimeYou: "This is the only time that you can see it.",
  youNeitherCopied: "You have neither copied nor downloaded it. Once closed, nobody can show it again.",
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
  browserAllowsNo: "The browser allows no copying: select the text instead.",
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
  nextFiveMinutes: "The next five minutes will not ask again",
  cancel: "Cancel",
  confirm: "Confirm",
  oneTimeCode: "One-time code",
  fromYourAuthenticator: "From your authenticator app, or one of your recovery codes",
  recoveryCode: "Recovery code",
  ifDeviceWith: "If the device with your passkey is not at hand",
};

export const USE_DEED = {
  notDone: "Not done",
  notDoneYour: "Not done: your session had ended",
  whatYouFilled: "What you have filled in is still here. Sign in, then press again.",
  notSent: "Not sent",
  browserOfflineNothing: "This browser is offline. Nothing goes out later by itself: press again when it is back.",
  notKnownWhether: "It is not known whether it arrived",
  noAnswerCame: "No answer came. What stands on the page is read again: look there first.",
  looking: "No answer came. Looking what became of it …",
  inVain: "No answer came, and what became of it cannot be read just now.",
  lookAgain: "Look again",
  lookedAt: "No answer came. Looked at {time}: {found}",
};
