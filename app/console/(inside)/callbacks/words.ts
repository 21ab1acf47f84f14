/** Texts about callbacks. */

export const PAGE = { title: "Callbacks" };

export const BODY_BLOCK = {
  bytes: (bytes: string) => `${bytes} bytes`,
  truncated: ", cut at 4 KiB",
  raw: "Raw",
  copy: (label: string) => `Copy ${label}`,
  empty: "Empty",
};

export const EXCHANGE = {
  errorClass: "Error class",
  resolvedAddress: "Resolved address",
  requestHeaders: "Request headers",
  nothingSent: "Nothing was sent.",
  inProgress: "In progress.",
  response: "Response",
  noAnswer: "No answer",
  responseHeaders: "Response headers",
  responseBody: "Response body",
  noBody: "No body.",
  redirect: (responseStatus: number) => `${responseStatus}, a redirect: not followed`,
  notAccepted: (responseStatus: number) => `${responseStatus}, not a 2xx`,
};

export const RESEND_ONE = {
  title: "Resend this callback",
  firstAttemptFollows: "The first attempt follows immediately.",
  to: "To {url}",
};

export const ATTEMPT_NOW = {
  means: "In addition to the six attempts. If it fails, the schedule does not change.",
  queued: "Trying now",
  notTried: "Not tried",
  tryNow: "Try now",
  tryingOne: "Trying 1 now",
  tryingMany: (asked: string) => `Trying ${asked} now`,
  tryAll: (count: string) => `Try all now (${count})`,
};

export const ATTEMPT_RAIL = {
  attempt: (given: number) => `Attempt ${given}:`,
  nextAttempt: "Next attempt in",
  paused: "paused",
  atOnce: "at once",
  timeUsed: "Time used of the attempt's 30 seconds",
};

export const ATTEMPT_VIEW = {
  somebody: "someone",
  ms: (durationMs: string) => `${durationMs} ms`,
  attempt: "Attempt",
  extraToSix: "In addition to the six",
  attemptOfSix: (number: number) => `${number} of 6`,
  asked: "Asked for",
  due: "Due",
  manual: "manual",
  automatic: "automatic",
  manualBy: (who: string) => `manual, by ${who}`,
  key: (name: string) => `the key “${name}”`,
  operator: "the operator",
  keyNoun: "a key",
};

export const TIMING_BAR = {
  dns: "DNS",
  connect: "Connect",
  tls: "TLS",
  firstByte: "First byte",
  body: "Rest",
  label: "Where the time went",
  phase: (word: string, ms: number) => `${word} ${ms} ms`,
};

export const CALLBACK_VIEW = {
  callback: (word: string) => `${word} callback`,
  resentBy: (series: number, who: string | null) =>
    `Resent ${series === 2 ? "once" : `${series - 1} times`}${who === null ? "" : `, last by ${who}`}.`,
};

export const DUE = { now: "now" };
