import type { z } from "zod";

/** Passwords and keys that everybody knows: samples of manuals, defaults of images, what people type first. In lower case. */
const KNOWN = [
  "admin",
  "changeit",
  "changeme",
  "default",
  "demo",
  "example",
  "letmein",
  "password",
  "passw0rd",
  "placeholder",
  "postgres",
  "qwerty",
  "replace",
  "root",
  "sandbox",
  "secret",
  "test",
  "welcome",
  "your",
];
const SHORTEST_PASSWORD = 12;
const FEWEST_DISTINCT_CHARACTERS = 6;

/** Why a password is weak, as the end of a sentence; null when it is fine. */
export function weaknessOfPassword(password: string): string | null {
  if (password.length < SHORTEST_PASSWORD) return `is shorter than ${SHORTEST_PASSWORD} characters`;
  if (new Set(password).size < FEWEST_DISTINCT_CHARACTERS) return "repeats a few characters";
  const letters = password.toLowerCase().replaceAll(/[^a-z]/g, "");
  const known = KNOWN.find((word) => letters === word.repeat(Math.max(1, Math.round(letters.length / word.length))));
  if (known !== undefined || /^<.*>$/.test(password)) return "is a well-known sample";
  if (/^(?:change|replace|your|insert|todo)[-_ ]?(?:me|this|it|your|password|secret|here)/i.test(password)) return "is a well-known sample";
  return null;
}

const FEWEST_DISTINCT_BYTES = 20;

/**
 * Why 32 bytes do not look like a random key, as the end of a sentence; null when they do. Random bytes are refused about once in a
 * thousand million times.
 */
export function weaknessOfKey(key: Uint8Array): string | null {
  const bytes = [...key];
  if (new Set(bytes).size < FEWEST_DISTINCT_BYTES) return "repeats a few bytes";
  const first = bytes[0] ?? 0;
  const step = ((bytes[1] ?? 0) - first + 256) % 256;
  if (bytes.every((byte, index) => byte === (first + step * index) % 256)) return "is a plain sequence of bytes";
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) return "is readable text, not random bytes";
  const half = bytes.length / 2;
  if (bytes.slice(0, half).every((byte, index) => byte === bytes[half + index])) return "repeats its first half";
  return null;
}

/** The place of a fault in a JSON value: `[0].tokens[1].decimals`. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
}

/** The fault, as the end of a sentence that begins with the place. */
export function plainIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has unknown members: ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input")) {
    return issue.message.endsWith("received undefined") ? `is missing: it wants a ${issue.expected}` : `wants a ${issue.expected}`;
  }
  return issue.message.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}
