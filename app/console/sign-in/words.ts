export const PAGE = {
  title: "Sign in",
  sandbox: "Sandbox",
  docs: "Building against the API? Read the {link}.",
  documentation: "documentation",
};

export const ENROL = {
  title: "Set up two-factor sign-in",
  why: (name: string, role: string) => `${name}, as ${role.toLowerCase()} you decide on settlements. That takes more than a password.`,
};

export const SIGN_IN_FORM = {
  oneTimeCodeHint: "From your authenticator app, or one of your recovery codes",
  signIn: "Sign in",
};

export const ENROL_FIRST = {
  passkey: "Or, in place of an app, use your fingerprint, face, PIN or security key:",
};
