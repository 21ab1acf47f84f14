export const ACCEPT_FORM = {
  eMailAddress: "E-mail address",
  name: "Name",
  password: "Password",
  passwordHint: "At least 12 characters, and not easily guessed",
  begin: "Begin",
};

export const PAGE = {
  title: "Invitation",
  sandbox: "Sandbox",
  nowhere: "This link leads nowhere",
  nowhereMore: "It was used, was withdrawn or has run out. Ask whoever invited you for a new one.",
  signIn: "You have a password already? {link}.",
  signInLink: "Sign in",
  welcome: "Welcome",
  invites: (by: string, role: string, side: string) => `${by} invites you as ${role.toLowerCase()} of ${side}.`,
};
