/** Texts about callbacks. */

export const PAGE = { title: "Callbacks" };

export const BODY_BLOCK = {
  bytes: (bytes: string) => `${bytes} bytes`,
  cut4Kib: ", cut at 4 KiB",
  raw: "Raw",
  copy: (label: string) => `Copy ${label}`,
  empty: "Empty",
};

export const EXCHANGE = {
  errorClass: "Error class",
  resolvedAddress: "Resolved address",
  request: "Request",
  copyAsCurl: "Copy as cURL",
  requestHeaders: "Request headers",
  nothingSent: "Nothing was sent.",
  underWay: "In progress.",
  requestBody: "Request body",
  response: "Response",
  noAnswer: "No answer",
  responseHeaders: "Response headers",
  responseBody: "Response body",
  noBody: "No body.",
  redirectNotFollowed: (responseStatus: number) => `${responseStatus}, a redirect: not followed`,
  not2xx: (responseStatus: number) => `${responseStatus}, not a 2xx`,
};

export const RESEND_ONE = {
  resendCallback: "Resend this callback",
  resend: "Resend",
  queued: "Queued",
  firstAttemptFollows: "The first attempt follows immediately.",
  to: "To {url}",
};

export const ATTEMPT_NOW = {
  extraAttempt: "In addition to the six attempts. If it fails, the schedule does not change.",
  tryingNow: "Trying now",
  notTried: "Not tried",
  tryNow: "Try now",
  trying1Now: "Trying 1 now",
  tryingCallbackNow: (asked: string) => `Trying ${asked} now`,
  tryAllNow: (count: string) => `Try all now (${count})`,
};

export const ATTEMPT_RAIL = {
  attempts: "Attempts",
  attempt: (given: number) => `Attempt ${given}:`,
  nextAttempt: "Next attempt in",
  once: "at once",
  timeUsed: "Time used of the attempt's 30 seconds",
  extra: "Extra",
};

export const ATTEMPT_VIEW = {
  extra: "Extra",
  ms: (durationMs: string) => `${durationMs} ms`,
  attempt: "Attempt",
  extraToSix: "In addition to the six",
  attemptOfSix: (number: number) => `${number} of 6`,
  asked: "Asked for",
  due: "Due",
  manual: "manual",
  automatic: "automatic",
  manualBy: (who: string) => `manual, by ${who}`,
  somebody: "someone",
  key: (name: string) => `the key “${name}”`,
  operator: "the operator",
  keyNoun: "a key",
};

export const TIMING_BAR = {
  dns: "DNS",
  connect: "Connect",
  tls: "TLS",
  firstByte: "First byte",
  rest: "Rest",
  whereTimeWent: "Where the time went",
  ms: (word: string, ms: number) => `${word} ${ms} ms`,
};

export const CALLBACK_VIEW = {
  callback: (word: string) => `${word} callback`,
  callbackNoun: "callback",
  resent: (series: number, who: string | null) =>
    `Resent ${series === 2 ? "once" : `${series - 1} times`}${who === null ? "" : `, last by ${who}`}.`,
  requestBody: "Request body",
};

export const DUE = { now: "now" };
