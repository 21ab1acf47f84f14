export const PAGE = {
  title: "Sign in",
  sandbox: "Sandbox",
  docs: "Building against the API? Read the {link}.",
  documentation: "documentation",
  status: "Is something wrong? See the {link}.",
  statusPage: "service status",
  companies: "Sign in with your company's identity",
  or: "or",
  continueWith: "Continue with {name}",
};

export const ENROL = {
  why: (name: string, role: string) => `${name}, as ${role.toLowerCase()} you decide on settlements. That takes more than a password.`,
};

export const ENROL_FIRST = {
  passkey: "Or, in place of an app, use your fingerprint, face, PIN or security key:",
};
