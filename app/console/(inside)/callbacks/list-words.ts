/** Texts of the lists of callbacks and receivers. */

export const CALLBACK_COLUMNS = {
  nextOrEnded: "Next or ended",
  gaveUp: "Given up",
  next: "Next",
};

export const CALLBACK_LIST = {
  noMatch: (held: string) => `No callback matches: ${held}.`,
  nothing: {
    undelivered: "Nothing is undelivered",
    retrying: "Nothing is on its way",
    all: "No callbacks yet",
    endpoints: "",
  },
  noneMore: "The first is sent when a settlement with a callback address is approved or ends.",
  allDelivered: "Every callback was delivered.",
  noneSent: "None sent yet",
  stillRetried: (shown: string, retrying: number) =>
    `${shown} ${retrying === 1 ? "has" : "have"} failed and ${retrying === 1 ? "is" : "are"} still being retried.`,
  selected: (count: number) => `${count} selected`,
  clear: "Clear",
  caption: "Callbacks, newest first",
};

export const CALLBACKS_PAGE = {
  endpoints: "Endpoints",
};

export const ENDPOINTS = {
  sending: "Sending",
  noAttempts: "No attempts within seven days",
  columnsExplained: "{tooltip}, then the times of answered attempts over seven days.",
  caption: "Receivers of the last seven days, and those with undelivered callbacks",
  lastDay: "24 h",
  lastWeek: "7 d",
  firstAttemptsOfWeek: "First attempts, 7 d",
  p50P95: "p50 / p95",
  lastOutcome: "Last delivered, failed",
  failures: "Failures",
  notDelivered: "Not delivered",
  retrying: (count: string) => `${count} retrying`,
  undelivered: (count: string) => `${count} undelivered`,
  deliveredOf: (of: string) => `of ${of}`,
  latencies: (p50Ms: string, p95Ms: string) => `${p50Ms} / ${p95Ms} ms`,
  inARow: (inARow: number) => `${inARow} in a row`,
  timeouts: (timeouts: string) => `${timeouts} ${timeouts === "1" ? "timeout" : "timeouts"}`,
  firstAttemptsSucceeded: (good: number, tried: number) => `${good} of ${tried} first attempts succeeded in seven days`,
};

export const CALLBACK_GROUPS = {
  title: "By cause and receiver",
  resendAll: (count: string) => `Resend all (${count})`,
  failedSince: "Failed since {time}.",
  latest: "See the latest attempts",
  show: (count: string) => `Show ${count}`,
  resendSince: "Resend all that failed since…",
  resendTitle: "Resend what failed",
  failedSinceUtc: "Failed since (UTC)",
  count: "Count them",
  recentResends: "Recent resends",
  callbacks: (total: string) => `${total} callbacks`,
  resendOutcome: (by: null | string, delivered: number, undelivered: number, isOver: boolean, queued: number, retrying: number) =>
    `{time}${by ? `, by ${by}` : ""}: ${delivered} delivered, ${undelivered} undelivered${isOver ? "" : `, ${queued + retrying} to go`}`,
};

export const USE_CALLBACK_FILTERS = {
  states: { pending: "Queued or retrying", delivered: "Delivered", undelivered: "Undelivered" },
  callbacks: "callbacks",
  to: (origin: string) => `to ${origin}`,
  idHint: "The full id: tx_…, wd_… or tu_…",
  aboutId: (id: string) => `about ${id}`,
};
