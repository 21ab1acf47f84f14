/** What callbacks are about, and how they stand: also for other screens. */

export const EVENT_WORDS: Readonly<Record<string, string>> = {
  "settlement.approved": "Approval",
  "settlement.executed": "Executed",
  "settlement.failed": "Failed",
  "withdrawal.completed": "Withdrawal completed",
  "withdrawal.failed": "Withdrawal failed",
  "topup.completed": "Top-up completed",
  "topup.failed": "Top-up failed",
};

export const CALLBACK_WORDS = {
  /** What every figure of success means, wherever it stands. */
  takenHelp:
    "Of the callbacks of this time that were answered or have failed at least once: how many got a 2xx. One that failed and is still retried counts as not delivered.",
  states: { queued: "Queued", retrying: "Retrying", delivered: "Delivered", undelivered: "Undelivered" },
  /** An error class in a word or two. */
  kinds: {
    dns: "DNS failure",
    refused: "Refused",
    unreachable: "Unreachable",
    timeout: "Timeout",
    tls: "TLS error",
    reset: "Closed early",
    protocol: "Not HTTP",
    blocked_address: "Blocked",
    malformed_url: "Malformed URL",
    internal: "Our fault",
  } as Readonly<Record<string, string>>,
  answered: (status: string) => `answered ${status}`,
  underWay: "Under way",
  noAnswer: "no answer",
};
