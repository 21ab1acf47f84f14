import { Check, CircleDashed, RotateCw, SendHorizontal } from "lucide-react";
import type { CallbackRow, Mark } from "./answers.ts";

/** The console's words about callbacks. */

/** What every figure of success means, wherever it stands. */
export const TAKEN_HELP =
  "Of the callbacks of this time that were answered or have failed at least once: how many got a 2xx. One that failed and is still retried counts as not delivered.";

export const EVENT_WORDS: Readonly<Record<string, string>> = {
  "settlement.approved": "Approval",
  "settlement.executed": "Executed",
  "settlement.failed": "Failed",
  "withdrawal.completed": "Withdrawal completed",
  "withdrawal.failed": "Withdrawal failed",
  "topup.completed": "Top-up completed",
  "topup.failed": "Top-up failed",
};

const QUEUED = { word: "Queued", icon: CircleDashed, tone: "quoted" };
const RETRYING = { word: "Retrying", icon: RotateCw, tone: "pending" };
const DELIVERED = { word: "Delivered", icon: Check, tone: "executed" };
const UNDELIVERED = { word: "Undelivered", icon: SendHorizontal, tone: "undelivered" };

/** Nothing is delivered before a 2xx came: until the first attempt has ended it is queued. */
export function signOf({ state, marks }: Pick<CallbackRow, "state" | "marks">) {
  if (state === "delivered") return DELIVERED;
  if (state === "undelivered") return UNDELIVERED;
  return marks.some(({ ended }) => ended) ? RETRYING : QUEUED;
}

/** When each attempt comes: so long after the end of the one before it. */
export const WAITS = ["0", "1 m", "5 m", "30 m", "2 h", "12 h"] as const;

const KIND_WORDS: Readonly<Record<string, string>> = {
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
};

/** An error class in a word or two. */
export function kindWord(kind: string): string {
  return KIND_WORDS[kind] ?? kind;
}

/** A group's cause, which the wire calls `http_401` or `timeout`. */
export function causeWord(cause: string): string {
  const status = /^http_(\d+)$/.exec(cause)?.[1];
  return status === undefined ? kindWord(cause) : `answered ${status}`;
}

/** What an attempt met: the code of its answer, or why there was none. */
export function metBy({ ended, response_status, error_kind }: Mark): string {
  if (!ended) return "Under way";
  return response_status === null ? kindWord(error_kind ?? "no answer") : String(response_status);
}

export function toneOf({ ended, error_kind }: Mark): string {
  if (!ended) return "quoted";
  return error_kind === null ? "executed" : "failed";
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
const CLASS_WORDS = ["", "Informational", "Success", "Redirection", "Client Error", "Server Error"];

/** `503 Service Unavailable`. */
export function statusLine(status: number): string {
  const word = STATUS_WORDS[status] ?? CLASS_WORDS[Math.floor(status / 100)] ?? "";
  return word === "" ? String(status) : `${status} ${word}`;
}

/** Where the thing is looked at that a callback tells about. */
export function subjectPage(subjectId: string): string {
  if (subjectId.startsWith("wd_")) return `/console/fiat/withdrawals/${subjectId}`;
  if (subjectId.startsWith("tu_")) return `/console/fiat/topups/${subjectId}`;
  return `/console/settlements/${subjectId}`;
}
