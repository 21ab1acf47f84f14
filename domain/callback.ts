import { SETTLEMENT_EVENTS } from "./lifecycle.ts";
import { TOPUP_EVENTS } from "./topup.ts";
import { WITHDRAWAL_EVENTS } from "./withdrawal.ts";

export const BATCH_EVENTS = ["batch.completed"] as const;
export type BatchEvent = (typeof BATCH_EVENTS)[number];

/** The events with a callback. */
export const CALLBACK_EVENTS = [...SETTLEMENT_EVENTS, ...BATCH_EVENTS, ...WITHDRAWAL_EVENTS, ...TOPUP_EVENTS] as const;
export type CallbackEvent = (typeof CALLBACK_EVENTS)[number];

export const CALLBACK_STATES = ["pending", "delivered", "undelivered"] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

/** Seconds between the end of one attempt and the start of the next (specification, part 6): six attempts in all. */
export const RETRY_DELAYS_SECONDS = [60, 300, 1_800, 7_200, 43_200] as const;
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;
/** One absolute deadline over everything an attempt does (specification, part 6). */
export const ATTEMPT_TIMEOUT_MS = 30_000;

/** `dueInSeconds`: from the end of this attempt to the next; null: there is none. */
type Next<State, Number> = { state: State; nextNumber: Number; dueInSeconds: number | null };

/** What becomes of a callback once attempt `number` ended (specification, part 6). */
export function afterAttempt(number: number, delivered: boolean): Next<CallbackState, number> {
  if (delivered) return { state: "delivered", nextNumber: number, dueInSeconds: null };
  const dueInSeconds = RETRY_DELAYS_SECONDS[number - 1];
  return dueInSeconds === undefined
    ? { state: "undelivered", nextNumber: number, dueInSeconds: null }
    : { state: "pending", nextNumber: number + 1, dueInSeconds };
}

/** A callback after a manual attempt (contract, part 10 "Callbacks"): a success delivers it, a failure does not affect its schedule. */
export function afterExtraAttempt(delivered: boolean): Next<CallbackState | null, null> {
  return { state: delivered ? "delivered" : null, nextNumber: null, dueInSeconds: null };
}

/** Callbacks of one queue share its capacity, so that one hanging receiver delays no other queue. */
export function queueOf(partnerId: string, url: string): string {
  return `${partnerId} ${originOf(url)}`;
}

/** A receiver: scheme, host and port. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/**
 * The target a callback URL is called with: its path and query byte for byte as they were given (contract, part 4), where a URL parser
 * would rewrite some (`'` to `%27`). A missing path is `/`. `text` has the form of a callback URL.
 */
export function targetOf(text: string): { path: string; query: string; target: string } {
  const [, path = "", query] = /^[a-z]+:\/\/[^/?]*([^?]*)(?:\?(.*))?$/is.exec(text) ?? [];
  const rooted = path === "" ? "/" : path;
  return { path: rooted, query: query ?? "", target: query === undefined ? rooted : `${rooted}?${query}` };
}

/** What an attempt spent its time on, in milliseconds from its own begin of each step to its end. */
export type AttemptTimings = { dns?: number; connect?: number; tls?: number; firstByte?: number };

export type Callback = {
  id: string;
  partnerId: string;
  /** Its subject: a settlement's `tx_…`, a batch's `ba_…`, a withdrawal's `wd_…` or a top-up's `tu_…`. */
  subjectId: string;
  apiKeyId: string;
  event: CallbackEvent;
  url: string;
  /** The exact bytes of every attempt. */
  body: string;
  state: CallbackState;
  /** 1, and one more for each resend. */
  series: number;
  createdAt: Date;
  deliveredAt: Date | null;
  undeliveredAt: Date | null;
  nextAttemptAt: Date | null;
  attempts: CallbackAttempt[];
};

export type CallbackAttempt = {
  series: number;
  /** 1 to 6; null: a manual attempt, besides the six. */
  number: number | null;
  scheduledAt: Date;
  sentAt: Date;
  durationMs: number | null;
  responseStatus: number | null;
  /** A short public sentence when the attempt failed without or despite an answer; null when it succeeded or is under way. */
  error: string | null;
};

/** The guard's verdict on a callback URL. */
export type UrlVerdict = { verdict: "allowed" } | { verdict: "malformed" | "forbidden"; reason: string };
export type OutgoingCallback = { url: string; headers: Record<string, string>; body: string; timeoutMs: number; signal?: AbortSignal };
/** The outcome of one attempt. */
export type CallbackOutcome = {
  durationMs: number;
  timings: AttemptTimings;
  /** As sent on the wire; null: nothing was sent. */
  requestHeaders: Record<string, string> | null;
  /** null: no answer. */
  status: number | null;
  responseHeaders: Record<string, string> | null;
  /** The first 4 KiB of the answer. */
  responseBody: string | null;
  /** Bytes of its body that were read, of which there are at most 16 KiB; null: no answer. */
  responseBytes: number | null;
  remoteAddress: string | null;
  /** null: delivered (a 2xx). */
  trouble: { kind: string; message: string } | null;
};
