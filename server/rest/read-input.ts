import type { Operation } from "#server/contract/operation.ts";
import { type Fault, Refusal } from "#server/domain/refusal.ts";
import { invalid } from "./faults.ts";
import { headerOf, type RawRequest } from "./raw-request.ts";
import { parseStrictJson } from "./strict-json.ts";

/** Request bodies end here (contract, part 9). */
export const MAX_BODY_BYTES = 64 * 1_024;

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether the operation takes a body at all: on GET and DELETE neither body nor content type is looked at. */
export function takesBody(operation: Operation): boolean {
  return operation.method !== "GET" && operation.method !== "DELETE";
}

/** @throws Refusal `unsupported_media_type` unless the one content type is JSON in UTF-8. */
export function refuseOtherMedia(raw: RawRequest): void {
  const sent = raw.headers.get("content-type") ?? [];
  if (sent.length === 1 && JSON_TYPE.test(headerOf(raw, "content-type") ?? "")) return;
  throw new Refusal("unsupported_media_type");
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

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refusal("invalid_utf8");
  }
}

/**
 * The query's parameters, decoded as forms are (`+` is a space). Empty pieces (`a=1&&b=2`) say nothing and are passed over.
 *
 * @throws Refusal `validation_failed` for a parameter that is repeated or not percent-encoded UTF-8.
 */
export function readQuery(query: string): Record<string, string> {
  const parameters = new Map<string, string>();
  const faults: Fault[] = [];
  for (const piece of query.split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = decode(equals === -1 ? piece : piece.slice(0, equals));
    const value = decode(equals === -1 ? "" : piece.slice(equals + 1));
    if (name === null || value === null) {
      faults.push({ parameter: name ?? piece.slice(0, 64), code: "invalid_encoding", message: "must be percent-encoded UTF-8" });
    } else if (parameters.has(name)) {
      faults.push({ parameter: name, code: "repeated", message: "may be given once" });
    } else {
      parameters.set(name, value);
    }
  }
  if (faults.length > 0) throw invalid(faults);
  return Object.fromEntries(parameters);
}

/** Raw bytes beyond ASCII have no business in a query, and cannot have been what the sender meant by them. */
function decode(text: string): string | null {
  if (/[^\x21-\x7e]/.test(text)) return null;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
