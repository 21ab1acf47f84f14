/** Texts of these parts. */

export const CONFIRM_DIALOG = {
  reasonHint: "At least eight characters; for the audit log",
  typeToConfirm: (typed: string) => `Type “${typed}” to confirm`,
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
