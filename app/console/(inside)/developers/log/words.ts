export const PAGE = {
  title: "API log",
};

export const LOG = {
  one: "request",
  many: "requests",
  kept: (logDays: number, bodyDays: number) => `Requests are kept for ${logDays} days, bodies of refused signatures for ${bodyDays}`,
  nothing: (held: string) => `No request was ${held}.`,
  none: "No requests in this time",
  noneOperator: "Requests with any known key appear here.",
  nonePartner: "Every request with one of your keys appears here, correctly signed or not.",
  signFirstOne: "Sign the first one",
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  inTimeSpan: "in that time span",
  errorCode: "Error code",
  codeHint: "Such as signature_mismatch",
  pathBegins: "Path begins with",
  pathHint: "Such as /api/v1/settlements",
  underPath: (path: string) => `under ${path}`,
  byPartner: (partner: string) => `by ${partner}`,
  withRequestId: (id: string) => `request ${id}`,
  requestHint: "Every answer carries it as X-Request-Id. The search covers all requests that are kept",
  aboutSettlement: (id: string) => `about ${id}`,
  span: "Time span",
  withKey: (name: string | undefined) => `with ${name ?? "one key"}`,
  ranges: { "1h": "Last hour", "24h": "Last 24 hours", "7d": "Last 7 days", "30d": "Last 30 days" },
  classes: { "2xx": "2xx, answered", "4xx": "4xx, refused", "5xx": "5xx, failed" },
};

export const COLUMNS = {
  ms: (milliseconds: string) => `${milliseconds} ms`,
  operator: "Operator",
  replayed: "replayed",
  inConsole: (person: string | null) => `${person ?? "Console"}, in the console`,
};

export const HISTOGRAM = {
  asTable: "View as table",
  caption: "Requests by status class, without empty spans",
  zoom: "Zoom",
  showThese: "Show these",
  barTitle: (requests: number, bar: string, most: number) =>
    `${requests} ${requests === 1 ? "request" : "requests"}, a bar ${bar}, at most ${most} in one`,
};

export const REFUSALS = {
  title: (count: number) => `Errors by code and operation (${count})`,
  caption: "Errors by code and operation",
  code: "Code",
  count: "Count",
  latest: "Latest",
  action: "What to do",
  docs: "Docs",
};
