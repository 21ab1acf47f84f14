import type { Operation } from "#contract/operation.ts";
import { type Fault, type FaultCode, Refusal } from "#domain/refusal.ts";
import { invalid } from "./faults.ts";
import { headerOf, type RawRequest } from "./raw-request.ts";
import { parseStrictJson } from "./strict-json.ts";

/** Request bodies end here (contract, part 9). */
export const MAX_BODY_BYTES = 64 * 1_024;

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Where the operation's own body ends. */
export function bodyLimitOf({ bodyLimit = MAX_BODY_BYTES }: Pick<Operation, "bodyLimit">): number {
  return bodyLimit;
}

/** Whether the operation accepts a body at all: on GET and DELETE neither body nor content type is read. */
export function takesBody(operation: Operation): boolean {
  return operation.method !== "GET" && operation.method !== "DELETE";
}

/** @throws Refusal `unsupported_media_type` unless the one content type is JSON (or, where said, a form) in UTF-8, sent without a coding. */
export function refuseOtherMedia(raw: RawRequest, media?: "form"): void {
  const codings = (raw.headers.get("content-encoding") ?? []).join(",").split(",");
  if (codings.some((coding) => !/^\s*(?:identity)?\s*$/i.test(coding))) {
    throw new Refusal("unsupported_media_type", { detail: "The body must be sent uncompressed, without a Content-Encoding." });
  }
  const sent = raw.headers.get("content-type") ?? [];
  const expected = media === "form" ? FORM_TYPE : JSON_TYPE;
  if (sent.length === 1 && expected.test(headerOf(raw, "content-type") ?? "")) return;
  throw new Refusal(
    "unsupported_media_type",
    media === "form" ? { detail: "The content type must be application/x-www-form-urlencoded." } : {},
  );
}

/**
 * The body's JSON; an empty body is `{}` where none is required.
 *
 * @throws Refusal `invalid_utf8`, `malformed_json`.
 */
export function readJsonBody(bytes: Uint8Array, required: boolean): unknown {
  if (bytes.length === 0 && !required) return {};
  return parseStrictJson(decodeUtf8(bytes));
}

/**
 * The fields of a form. Empty pieces are skipped.
 *
 * @throws Refusal `invalid_utf8`, `validation_failed` for a field that is repeated or not percent-encoded UTF-8.
 */
export function readFormBody(bytes: Uint8Array): Record<string, string> {
  return readPairs(decodeUtf8(bytes), decodeText, (field, code, message) => ({ pointer: `/${field}`, code, message }));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refusal("invalid_utf8");
  }
}

/**
 * The query's parameters, decoded like a form (`+` is a space). Empty pieces (`a=1&&b=2`) are skipped.
 *
 * @throws Refusal `validation_failed` for a parameter that is repeated or not percent-encoded UTF-8.
 */
export function readQuery(query: string): Record<string, string> {
  return readPairs(query, decode, (parameter, code, message) => ({ parameter, code, message }));
}

type Decode = (text: string) => string | null;
type ReportFault = (name: string, code: FaultCode, message: string) => Fault;

function readPairs(text: string, decodePiece: Decode, fault: ReportFault): Record<string, string> {
  const pairs = new Map<string, string>();
  const faults: Fault[] = [];
  for (const piece of text.split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = decodePiece(equals === -1 ? piece : piece.slice(0, equals));
    const value = decodePiece(equals === -1 ? "" : piece.slice(equals + 1));
    if (name === null || value === null) {
      faults.push(fault(name ?? piece.slice(0, 64), "invalid_encoding", "must be percent-encoded UTF-8"));
    } else if (pairs.has(name)) {
      faults.push(fault(name, "repeated", "may be given once"));
    } else {
      pairs.set(name, value);
    }
  }
  if (faults.length > 0) throw invalid(faults);
  return Object.fromEntries(pairs);
}

/** Raw bytes beyond ASCII are invalid in a query, and cannot be what the sender meant. */
function decode(text: string): string | null {
  return /[^\x21-\x7e]/.test(text) ? null : decodeText(text);
}

function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
