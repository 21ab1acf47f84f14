export const ACCEPT_FORM = {
  passwordHint: "At least 12 characters, and not easily guessed",
  start: "Start",
};

export const PAGE = {
  title: "Invitation",
  sandbox: "Sandbox",
  invalid: "This link does not work",
  invalidMore: "It was used, was withdrawn or has expired. Ask the person who invited you for a new one.",
  signIn: "Do you already have a password? {link}.",
  signInLink: "Sign in",
  welcome: "Welcome",
  invites: (by: string, role: string, side: string) => `${by} invites you as ${role.toLowerCase()} of ${side}.`,
};
