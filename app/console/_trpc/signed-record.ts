import type { DecisionToSign, Json } from "./signed-decision.ts";

/** Whether the device would sign this text and no other: the challenge must be its SHA-256. */
export async function isOfRecord({ record, options }: DecisionToSign): Promise<boolean> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(record));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === options.challenge;
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
