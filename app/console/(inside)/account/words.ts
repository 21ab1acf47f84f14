export const PAGE = {
  title: "Account",
  operator: "Operator",
  providerRefused: "The answer of your company's identity provider was refused. Nothing has changed. Try again, or ask who manages access.",
  providerAway: "Your company's identity provider does not answer. Try again in a moment.",
};

export const ENROLMENT = {
  needsApp: "You will need an authenticator app: any that reads QR codes, on your phone or in your password manager.",
  qrCode: "QR code with the secret for your authenticator app",
  scan: "Scan it with the app, or type the secret in:",
  copySecret: "Copy the secret",
  wrongCode: "The app shows a different code now.",
  code: "The code that the app shows",
};

export const PASSKEYS = {
  rename: "Rename",
  remove: "Remove",
  passkey: "Passkey",
  storage: "Kept",
  added: "Added",
  never: "Never",
  explanation:
    "A passkey is your fingerprint, face or PIN, or a security key. You use it instead of a code, and it works only for this address.",
  yourPasskeys: "Your passkeys",
  lastNeeded: "Your role requires two factors. Add another passkey before you remove the last one.",
  removeTitle: (name: string) => `Remove the passkey “${name}”?`,
  removeExplained: "You can no longer sign in here with it. The device still shows it until you delete it there.",
  removed: "Passkey removed",
  backedUp: "Backed up by its provider",
  syncs: "Can be copied to your devices",
  oneDevice: "On one device only",
  addedNow: "Passkey added",
  add: "Add a passkey",
  passkeyName: "Name of the passkey",
  nameHint: "Where it is kept: “Work laptop”, “Blue security key”",
  create: "Create the passkey",
  renameTitle: (name: string) => `Rename “${name}”`,
};

export const PREFERENCE_CHOICES = {
  title: "Preferences",
  language: { label: "Language", choices: { en: "English", fr: "Français" } },
  keptInBrowser: "Kept in this browser",
  theme: { label: "Theme", choices: { system: "As the system", light: "Light", dark: "Dark" } },
  density: { label: "Rows", choices: { compact: "Compact", regular: "Regular", roomy: "Roomy" } },
  zone: { label: "Times", choices: { utc: "UTC", local: "Your zone" } },
  amounts: { label: "Amounts", choices: { shown: "Shown", hidden: "Hidden" } },
  shortcuts: { label: "Single-key shortcuts", choices: { on: "On", off: "Off" } },
};

export const PROFILE = {
  title: "Profile",
  nameSaved: "Name saved",
  nameHint: "Colleagues see it next to your decisions",
  saveName: "Save name",
  passwordChanged: "Password changed",
  signedOutElsewhere: "You are signed out everywhere else.",
  changePassword: "Change password",
  currentPassword: "Current password",
  newPassword: "New password",
  newPasswordHint: "At least 12 characters. It ends your other sessions.",
  roleAt: (side: string, role: string) => `${side}, ${role.toLowerCase()}`,
};

export const RECOVERY_CODES = {
  title: "Your recovery codes",
  explanation: "Each code signs you in once if you lose your second factor. This is the only time that you can see them.",
  notTaken: "You have neither copied nor downloaded them. Once you close this, no one can show them again.",
  closeAnyway: "Close without them",
  label: "Recovery codes",
  copyAll: "Copy all",
  taken: "Saved",
};

export const NOT_ME = {
  notMe: "This was not me",
  title: "Lock your account",
  explained:
    "All your sessions end, including this one. Your open proposals and approvals no longer count. Nobody can decide in your name until a colleague lets you back in.",
  what: "What happened?",
  hint: "At least eight characters. The audit log keeps it, and the colleague who lets you back in reads it.",
  lock: "Lock my account",
};

export const SESSIONS = {
  sessionEnded: "Session ended",
  end: "End",
  browser: "Browser",
  current: "(this one)",
  signedIn: "Signed in",
  title: "Sessions",
  caption: "Where you are signed in",
  refusedOne: "One refused sign-in",
  refusedMany: (count: number) => `The last ${count} refused sign-ins`,
  refusedExplained: "If this was not you, change your password. A wrong code means that someone knows your password.",
  refused: "Refused sign-ins",
  refusedOneOf: "A wrong {what} from {address}, {time}",
};

export const TWO_FACTORS = {
  title: "Two-factor sign-in",
  passkeys: "Passkeys",
  signInAsksFor: (code: boolean, passkey: boolean) =>
    `Signing in asks for ${code && passkey ? "a passkey or your app's code" : code ? "your app's code" : "a passkey"}.`,
  renew: "New recovery codes",
  move: "Move to another phone",
  setUp: "Set up an authenticator app",
  switchOff: "Switch off",
  required: "Your role requires two factors. You cannot switch them off.",
  showNew: "Show a new QR code",
  show: "Show a QR code",
  offTitle: "Switch the app's codes off?",
  offMeans:
    "The secret in your app stops working. Without a passkey, your password alone then signs you in, and your recovery codes are deleted.",
  offDone: "The app's codes are off",
  offRemaining: "Account shows the factors that you still have.",
  codesRemaining: (codes: number) =>
    `${codes === 1 ? "One recovery code is" : `${codes} recovery codes are`} left${codes === 0 ? ". Make new ones now." : codes < 3 ? ". Make new ones before you use the last." : "."}`,
};

export const IDENTITIES = {
  title: "Company sign-in",
  explained: "Sign in with your company's identity instead of a password. Linking takes you to your company's sign-in page and back.",
  provider: "Provider",
  linked: "Linked",
  link: (provider: string) => `Link ${provider}`,
  unlink: "Unlink",
  unlinkTitle: (provider: string) => `Unlink ${provider}?`,
  unlinkExplained: "You can no longer sign in with it. Sessions that it opened stay open.",
  unlinkDone: "Identity unlinked",
};
