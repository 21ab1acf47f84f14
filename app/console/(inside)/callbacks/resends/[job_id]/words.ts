/** Texts of these parts. */

export const PAGE = { title: (id: string) => `Resend ${id}` };

export const JOB_ITEMS = {
  caption: "Callbacks of this resend",
  lastAnswer: "Last answer",
  nextAttempt: "Next attempt",
};

export const TIME_LEFT = {
  fewSeconds: "a few seconds left",
  seconds: (given: number) => `about ${given * 10} s left`,
  minutes: (given: number) => `about ${given} min left`,
  hours: (given: number) => `about ${given} h left`,
};

export const JOB_PAGE = {
  title: (total: string) => `Resend of ${total}`,
  resendNoun: "resend",
  pageMayBeClosed: "You can close this page. The resend continues.",
  started: (by: string | null, meant: string) => `Started {time}${by === null ? "" : ` by ${by}`}${meant}.`,
  firstPage: "First page",
  nextPage: "Next page",
  pickedSingly: ", picked one by one",
  to: (origin: string) => `, to ${origin}`,
  failedSince: (since: string) => `, failed since ${since}`,
  callbacksTried: "Callbacks tried",
  aborted: "; aborted {time}",
  tried: (queued: number, rate: number, left: string | null) =>
    `{strong} tried${queued > 0 && rate > 0 ? `, ${rate} a second` : ""}${left === null ? "" : `, ${left}`}`,
  triedOf: (tried: string, total: string) => `${tried} of ${total}`,
  failuresAsCsv: "Failures as CSV",
  abort: (queued: string) => `Abort: leave ${queued} untried`,
};
