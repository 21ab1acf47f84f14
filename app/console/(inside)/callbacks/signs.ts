import { Check, CircleDashed, RotateCw, SendHorizontal } from "lucide-react";
import type { CallbackRow, Mark } from "./answers.ts";
import { CALLBACK_WORDS } from "./state-words.ts";

/** Signs and text keys for the states of callbacks and attempts. */

type Translations = typeof CALLBACK_WORDS;

const QUEUED = { icon: CircleDashed, tone: "quoted" };
const RETRYING = { icon: RotateCw, tone: "pending" };
const DELIVERED = { icon: Check, tone: "executed" };
const UNDELIVERED = { icon: SendHorizontal, tone: "undelivered" };

/** Without a 2xx nothing is delivered: before the end of the first attempt it is queued. */
export function signOf({ state, marks }: Pick<CallbackRow, "state" | "marks">, { states }: Translations = CALLBACK_WORDS) {
  if (state === "delivered") return { ...DELIVERED, word: states.delivered };
  if (state === "undelivered") return { ...UNDELIVERED, word: states.undelivered };
  return marks.some(({ ended }) => ended) ? { ...RETRYING, word: states.retrying } : { ...QUEUED, word: states.queued };
}

/** The delay before each attempt, counted from the end of the one before it. */
export const WAITS = ["0", "1 m", "5 m", "30 m", "2 h", "12 h"] as const;

/** An error class in a word or two. */
export function kindWord(kind: string, { kinds }: Translations = CALLBACK_WORDS): string {
  return kinds[kind] ?? kind;
}

/** A group's cause, which the wire calls `http_401` or `timeout`. */
export function causeWord(cause: string, t: Translations = CALLBACK_WORDS): string {
  const status = /^http_(\d+)$/.exec(cause)?.[1];
  return status === undefined ? kindWord(cause, t) : t.answeredWith(status);
}

/** An attempt's outcome: the status code, or why there was none. */
export function metBy({ ended, response_status, error_kind }: Mark, t: Translations = CALLBACK_WORDS): string {
  if (!ended) return t.inProgress;
  if (response_status !== null) return String(response_status);
  return error_kind === null ? t.noAnswer : kindWord(error_kind, t);
}

export function toneOf({ ended, error_kind }: Mark): string {
  if (!ended) return "quoted";
  return error_kind === null ? "executed" : "failed";
}

/** HTTP's own reason phrases, which are the same in every language. */
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

/** The page of the object that a callback is about. */
export function subjectPage(subjectId: string): string {
  if (subjectId.startsWith("wd_")) return `/console/fiat/withdrawals/${subjectId}`;
  if (subjectId.startsWith("tu_")) return `/console/fiat/topups/${subjectId}`;
  if (subjectId.startsWith("ba_")) return `/console/batches/${subjectId}`;
  return `/console/settlements/${subjectId}`;
}
