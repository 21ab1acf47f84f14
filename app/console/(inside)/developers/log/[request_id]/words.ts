export const REQUEST_PAGE = {
  signature: "Signature",
  offline: "debugger that works offline",
  asCurl: "The same request as cURL",
  answered: "Answered",
  ms: (milliseconds: string) => `${milliseconds} ms`,
  noRoute: "None: no route matched",
  query: "Query",
  error: "Error",
  idempotency: "Idempotency",
  replayed: "Replayed: the stored answer for this Idempotency-Key",
  kept: "Kept",
  dataExpired: (days: number) =>
    `The signed bytes of this request are no longer kept. They are kept for ${days} days, for at most 60 of a key’s refused requests a minute. Sign the request again, or use the {link}.`,
  keptDays: (days: number) => `${days} days, without bodies`,
  keptDaysAndBody: (days: number, body: number) => `${days} days, without bodies; this refused body for ${body}`,
};

export const DEBUGGER = {
  trying: "Trying known mistakes",
  signature: "Signature",
  serverRead: "What the server read",
  compareYours: "Compare with yours",
  outcomes: { passed: "Passed", failed: "Failed", unknown: "Not judged" },
  received: (characters: number) => `The signature received: {begins}, ${characters} characters`,
};

export const PAGE = {
  title: (id: string) => `Request ${id}`,
};
