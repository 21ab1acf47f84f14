/** Texts around the runbooks, whose own text is English in every language. */
export const RUNBOOKS_PAGE = {
  title: "Runbooks",
  runbook: (name: string) => `Runbook ${name}`,
  all: "All runbooks",
  console: "Console",
  navigation: "Runbooks",
};
