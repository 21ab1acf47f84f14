import { SIGNED_HEADER } from "#contract/lapse.ts";
import { refusalOf } from "./refusal.ts";

type Json = Record<string, unknown>;
/** What a passkey must sign before a refused call is sent again: the record as one text, and what the browser needs for it. */
export type DecisionToSign = { record: string; ticket: string; options: Json; procedure: string };

/** What a refused decision asks to be signed; null for any other error. */
export function decisionToSign(error: unknown): DecisionToSign | null {
  const refusal = refusalOf(error);
  if (refusal?.code !== "passkey_required") return null;
  const { record, ticket, options, procedure } = refusal.members;
  if (typeof record !== "string" || typeof ticket !== "string" || typeof procedure !== "string") return null;
  return { record, ticket, procedure, options: options as Json };
}

/** Whether the device would sign this text and no other: the challenge must be its SHA-256. */
export async function isOfRecord({ record, options }: DecisionToSign): Promise<boolean> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(record));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === options.challenge;
}

/** Travels with the next call of that procedure, once. */
let signed: { procedure: string; value: string } | null = null;

export function sendWithNext({ procedure, ticket }: DecisionToSign, answer: Json): void {
  signed = { procedure, value: btoa(JSON.stringify({ ticket, answer })).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") };
}

/** The header of the call that the signature is for. */
export function signedHeaders({ path }: { path: string }): Record<string, string> {
  if (signed === null || signed.procedure !== path) return {};
  const { value } = signed;
  signed = null;
  return { [SIGNED_HEADER]: value };
}

/** A line of the record: the names that lead to a value, and the value as a text. */
export type RecordLine = { path: readonly string[]; text: string };

/** The record line by line, in the order of these names; the others come last. Nothing is left out. */
export function linesOf(record: string, names: readonly string[]): RecordLine[] {
  const { facts, ...rest } = JSON.parse(record) as Json;
  const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  const walk = (path: readonly string[], value: unknown): RecordLine[] => {
    if (value === null || typeof value !== "object") return [{ path, text: value === null ? "–" : String(value) }];
    const entries = Object.entries(value);
    if (entries.length === 0) return [{ path, text: "–" }];
    if (Array.isArray(value)) return entries.flatMap(([place, inner]) => walk([...path, String(Number(place) + 1)], inner));
    return entries.toSorted(([left], [right]) => rank(left) - rank(right)).flatMap(([name, inner]) => walk([...path, name], inner));
  };
  return walk([], { ...Object(facts), ...rest });
}
