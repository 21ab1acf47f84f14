/** Texts of these parts. */

export const FROM_TO = {
  to: "to",
};

export const PROGRESS = {
  reached: (done: string, of: string, what: string) => `${done} of ${of} ${what}`,
};

export const TOAST = {
  dismiss: "Dismiss",
};

export const ON_DEMAND = {
  notLoaded: "This could not be loaded.",
  cause: "The connection was lost, or the console has been updated.",
  retry: "Try again",
  reload: "Load the page again",
};

export const TIMELINE = {
  by: "by {who}",
  notYet: "Not yet",
};

export const CODE_BLOCK = {
  copy: (label: string) => `Copy ${label}`,
};

export const PASSKEY_BUTTON = {
  usePasskey: "Use a passkey",
};

export const COUNTDOWN = {
  ended: (label: string) => `${label}: over`,
  remaining: (label: string, spoken: number) => `${label}: ${spoken === 60 ? "1 minute" : "5 minutes"} left`,
};

/** The names of a settlement's states. */
export const VIEW_WORDS = {
  quoted: "Quoted",
  awaiting_approval: "Awaiting approval",
  approved: "Approved",
  lapsed: "Quote lapsed",
  processing: "Processing",
  executed: "Executed",
  failed: "Failed",
  cancelled: "Cancelled",
  rejected: "Rejected",
};

export const VALUES = {
  copy: (what: string) => `Copy ${what}`,
  hidden: "Amounts are hidden",
  hiddenAmount: "Hidden amount",
};

export const CHART = { asTable: "View as table", table: (title: string) => `${title}, as a table` };

export const GLANCE = {
  exact: (amount: string, currency: string) => `${amount} ${currency}, exact`,
  short: (amount: string, currency: string, exact: string) => `${amount} ${currency}, exactly ${exact}`,
};
