import type { CallbackEvent } from "#domain/callback.ts";

/** Texts for callbacks and their states, also for other screens. */

export const EVENT_WORDS = {
  "settlement.approved": "Approval",
  "settlement.executed": "Executed",
  "settlement.failed": "Failed",
  "batch.completed": "Batch completed",
  "withdrawal.completed": "Withdrawal completed",
  "withdrawal.failed": "Withdrawal failed",
  "withdrawal.cancelled": "Withdrawal cancelled",
  "topup.completed": "Top-up completed",
  "topup.failed": "Top-up failed",
  "topup.cancelled": "Top-up cancelled",
} satisfies Record<CallbackEvent, string>;

export const CALLBACK_WORDS = {
  /** The meaning of every success rate. */
  acceptedHelp:
    "The share that got a 2xx, of the callbacks of this period that were answered or failed at least once. A failed callback that is still being retried counts as not delivered.",
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
    internal: "Internal error",
  } as Readonly<Record<string, string>>,
  answeredWith: (status: string) => `answered ${status}`,
  inProgress: "In progress",
  noAnswer: "no answer",
};
