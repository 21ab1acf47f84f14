import { InexactNumber } from "#contract/json-number.ts";
import { compare, parseDecimal } from "#domain/decimal.ts";
import { Refusal } from "#domain/refusal.ts";

const MAX_DEPTH = 32;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN_STRING = /"[^"\\\u0000-\u001f]*"/y;
const ANY_STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

type Reader = { readonly text: string; at: number };

/**
 * Parses a request's JSON (contract, parts 1 and 9). Like `JSON.parse`, but it refuses a repeated key at any depth, a byte order mark and
 * nesting deeper than 32, and returns a number that no double represents exactly as an {@link InexactNumber} instead of rounding it.
 * `__proto__` is a key like any other.
 *
 * @throws Refusal `malformed_json`, with the position in `detail`.
 */
export function parseStrictJson(text: string): unknown {
  const reader: Reader = { text, at: 0 };
  if (text.charCodeAt(0) === 0xfeff) throw malformed("begins with a byte order mark", reader);
  skipSpace(reader);
  if (reader.at === text.length) throw malformed("is empty", reader);
  const value = readValue(reader, 0);
  skipSpace(reader);
  if (reader.at < text.length) throw malformed("continues after its end", reader);
  return value;
}

function readValue(reader: Reader, depth: number): unknown {
  switch (reader.text[reader.at]) {
    case "{":
      return readObject(reader, depth + 1);
    case "[":
      return readArray(reader, depth + 1);
    case '"':
      return readString(reader);
    default:
      return readScalar(reader);
  }
}

function readObject(reader: Reader, depth: number): Record<string, unknown> {
  enter(reader, depth);
  const object: Record<string, unknown> = {};
  const seen = new Set<string>();
  if (take(reader, "}")) return object;
  for (;;) {
    const start = reader.at;
    if (reader.text[start] !== '"') throw malformed("lacks a key", reader);
    const key = readString(reader);
    if (seen.has(key)) throw malformed(`repeats the key ${JSON.stringify(key.slice(0, 64))}`, { ...reader, at: start });
    seen.add(key);
    skipSpace(reader);
    if (!take(reader, ":")) throw malformed("lacks a colon", reader);
    setOwn(object, key, readValue(reader, depth));
    skipSpace(reader);
    if (take(reader, "}")) return object;
    if (!take(reader, ",")) throw malformed("lacks a comma or a closing brace", reader);
  }
}

function readArray(reader: Reader, depth: number): unknown[] {
  enter(reader, depth);
  const array: unknown[] = [];
  if (take(reader, "]")) return array;
  for (;;) {
    array.push(readValue(reader, depth));
    skipSpace(reader);
    if (take(reader, "]")) return array;
    if (!take(reader, ",")) throw malformed("lacks a comma or a closing bracket", reader);
  }
}

function readString(reader: Reader): string {
  const plain = match(reader, PLAIN_STRING);
  if (plain !== null) return plain.slice(1, -1);
  const escaped = match(reader, ANY_STRING);
  if (escaped === null) throw malformed("has a malformed string", reader);
  const value: unknown = JSON.parse(escaped);
  return String(value);
}

function readScalar(reader: Reader): unknown {
  const literal = match(reader, NUMBER);
  if (literal !== null) return readNumber(literal);
  for (const [word, value] of WORDS) {
    if (!reader.text.startsWith(word, reader.at)) continue;
    reader.at += word.length;
    return value;
  }
  throw malformed("has a malformed value", reader);
}

/** The double that the literal is, if it is one exactly. */
function readNumber(literal: string): number | InexactNumber {
  const double = Number(literal);
  if (literal.length < 16 && Number.isSafeInteger(double) && !/[.eE]/.test(literal)) return double;
  const sent = parseDecimal(literal);
  const read = Number.isFinite(double) ? parseDecimal(String(double)) : null;
  return sent !== null && read !== null && compare(sent, read) === 0 ? double : new InexactNumber(literal);
}

/** Past the opening bracket. */
function enter(reader: Reader, depth: number): void {
  if (depth > MAX_DEPTH) throw malformed(`is nested deeper than ${MAX_DEPTH}`, reader);
  reader.at += 1;
  skipSpace(reader);
}

/** Takes the sign if it is the next one, and the space after it. */
function take(reader: Reader, sign: string): boolean {
  if (reader.text[reader.at] !== sign) return false;
  reader.at += 1;
  skipSpace(reader);
  return true;
}

function match(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found === null) return null;
  reader.at = pattern.lastIndex;
  return found[0];
}

function skipSpace(reader: Reader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    reader.at += 1;
  }
}

/** An ordinary assignment to `__proto__` would change the object's nature instead of adding a key. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

function malformed(what: string, reader: Reader): Refusal {
  return new Refusal("malformed_json", { detail: `The body ${what} (at character ${reader.at}).` });
}
