/** Texts of the frame around every screen. */

export const NAV_WORDS = {
  labels: {
    overview: "Overview",
    approvals: "Approvals",
    queue: "My queue",
    incidents: "Incidents",
    settlements: "Settlements",
    batches: "Batches",
    callbacks: "Callbacks",
    fiat: "Fiat",
    ratesPairs: "Rates & pairs",
    treasury: "Treasury",
    members: "Members",
    statements: "Statements",
    partners: "Partners",
    apiKeys: "API keys",
    eventDestinations: "Event destinations",
    apiLog: "API log",
    callbackTester: "Callback tester",
    goLive: "Go live",
    auditLog: "Audit log",
    usersRoles: "Users & roles",
    singleSignOn: "Single sign-on",
    approvalPolicy: "Approval policy",
    proposals: "Proposals",
    settings: "Settings",
    team: "Team",
    account: "Account",
  },
  groups: {
    work: "Work",
    money: "Money",
    network: "Network",
    developers: "Developers",
    governance: "Governance",
    you: "You",
  },
};

export const BREADCRUMB = {
  breadcrumb: "Breadcrumb",
};

export const SHORTCUTS = {
  singleKeysOff: "Single-key shortcuts are switched off. Switch them on in the account menu.",
  show: "Show these shortcuts",
  dialogConfirm: "In a dialog or a decision: press its main button",
  keyNames: { Mod: "Ctrl or ⌘" } as Readonly<Record<string, string>>,
  caption: "Keys and what they do",
};

export const SESSION_END = {
  ended: "Your session has ended",
  aboutToEnd: "Your session is about to end",
  signInAgain: "Sign in again to continue here. What you have entered stays.",
  endsIn: (minutes: number, seconds: string) => `Ends in ${minutes}:${seconds}`,
  consequence: "Until you do, the service answers nothing, and nothing that you press is done later.",
};

export const VIEW_BANNER = {
  label: "Whose view this is",
  explanation: "You see the console as staff of {strong}. You cannot change anything. The audit log records this view.",
  leave: "Leave",
};

export const TOP_BAR = {
  sandbox: "Sandbox",
  liveStates: { connecting: "Connecting…", live: "Live", reconnecting: "Reconnecting…", ended: "Signed out" },
  switchTimes: (isUtc: boolean) => `Times are in ${isUtc ? "UTC" : "your zone"}: change`,
  local: "Local",
  account: (name: string) => `Account of ${name}`,
  operator: (role: string) => `Operator, ${role}`,
  ofPartner: (partner: string, role: string) => `${partner}, ${role}`,
  theme: "Theme",
  systemTheme: "As the system",
  light: "Light",
  dark: "Dark",
  compact: "Compact",
  regular: "Regular",
  roomy: "Roomy",
  singleKeyShortcuts: "Single-key shortcuts",
};

export const PALETTE_OPENER = {
  label: "Search settlements, pages and commands",
  placeholder: "Search or go to…",
  shortcut: "Ctrl K",
};

export const BELL = {
  title: (unread: number) => `Notifications, ${unread} unread`,
  none: "No notifications yet.",
  loading: "Loading…",
  all: "All notifications and their settings",
};

const by = (done: string, name: string | null) => (name === null ? done : `${done} by ${name}`);

export const NOTICE = {
  unread: "Unread:",
  waits: (second: boolean) => (second ? "Awaiting a second approval" : "Awaiting approval"),
  outcomes: {
    open: () => "Awaiting approval",
    approved: (name: string | null) => by("Approved", name),
    rejected: (name: string | null) => by("Rejected", name),
    carried_out: (name: string | null) => by("Confirmed", name),
    withdrawn: (name: string | null) => by("Withdrawn", name),
    closed: () => "No longer awaiting approval",
  },
};

export const SIGN_IN_AGAIN = {
  codeOrPasskey: "Enter a code, or use your passkey.",
};

export const LATE_TROUBLES = {
  noAnswer: "No answer came",
};

export const RAIL = {
  sections: "Sections",
  more: "More",
  fewer: "Fewer",
  goTo: (label: string) => `Go to ${label}`,
  waiting: "waiting",
};

/** The notice for an action without an answer, as one sentence. */
export const NO_ANSWER = {
  offline: "Not sent: this browser is offline. Nothing is sent later automatically.",
  unknownOutcome: "No answer came. It may or may not have arrived, so check before you try again.",
};

/** Current troubles: `everybody` for all users, `operators` with more detail for those who can act. */
export const HEALTH_LINE = {
  operators: {
    database: "The database does not answer",
    databaseSlow: "The database is slow",
    worker: "No worker is running: nothing is paid or called back",
    work: (detail: string) => `Due work is not processed: ${detail}`,
    payments: (detail: string) => `Payments wait: ${detail}`,
    chain: (detail: string) => `A chain has no new blocks: ${detail}`,
    rates: (detail: string) => `Quoting is halted: ${detail}`,
    halt: (detail: string) => `Halted: ${detail}`,
    screening: (detail: string) => `Recipients cannot all be screened: ${detail}`,
    replica: (detail: string) => `The replica ${detail}: lists are read from the database itself`,
  },
  everybody: {
    offline: "This browser is offline. Nothing is sent, and this page may be out of date",
    service: "The service does not answer, and this page may be out of date",
    rates: (pairs: string) => `${pairs === "" ? "Some pairs" : pairs} cannot be quoted right now`,
    database: "The service has trouble answering, and this page may be out of date",
    delayed: "Payments and callbacks are delayed. Confirmed settlements are kept, and are paid as soon as possible",
  },
  since: "{trouble}, since {time}",
  note: "{note} ({time}, {link})",
  status: "status page",
  runbook: ", runbook {name}",
  newTab: "opens in a new tab",
};

/** In place of a page that failed to render. */
export const PAGE_TROUBLE = {
  title: "This page cannot be shown right now",
  cause: {
    offline: "This browser is offline.",
    service: "The service does not answer.",
    database: "The service's database does not answer. No work is lost, and payments in progress continue automatically.",
    other: "Something went wrong while loading the page. If it happens again, send the request id to support.",
  },
  loadsAutomatically: "The page loads automatically as soon as the service answers.",
  stillNoAnswer: "Asked again at {time}: still no answer.",
  firstPage: "The console's first page",
};

/** At the top of every page. */
export const FRAME = { skip: "Skip to the content" };
