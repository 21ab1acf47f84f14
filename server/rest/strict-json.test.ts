import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InexactNumber } from "#contract/json-number.ts";
import { isRefusal } from "#domain/refusal.ts";
import { fastestOf } from "#testing/patience.ts";
import { parseStrictJson } from "./strict-json.ts";

function refusalOf(text: string): string {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
  return "accepted";
}

describe("strict JSON", () => {
  it("reads every JSON document as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(withoutInexact(parseStrictJson(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("accepts no text that JSON.parse refuses, and refuses none that it accepts but for repeats and depth", () => {
    const alphabet = fc.constantFrom(
      ...'{}[]":,0123456789.eE+-truefalsn\\u \n\t\u0000/b\u00e9\ufeff'.split(""),
      '"a":',
      '"a"',
      "null",
      "true",
      "1.5",
      "\\u0041",
    );
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 14 }), (pieces) => {
        const text = pieces.join("");
        let standard: "accepted" | "malformed_json" = "accepted";
        try {
          JSON.parse(text);
        } catch {
          standard = "malformed_json";
        }
        const ours = refusalOf(text);
        if (ours !== standard) expect([standard, ours, hasRepeatedKey(text)]).toEqual(["accepted", "malformed_json", true]);
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ["a repeated key", '{"a":1,"a":1}'],
    ["a repeated key in the depth", '[{"b":{"a":1,"c":2,"a":3}}]'],
    ["a key repeated through an escape", '{"a":1,"\\u0061":2}'],
    ["a repeated __proto__", '{"__proto__":1,"__proto__":2}'],
    ["a byte order mark", '\ufeff{"a":1}'],
    ["nothing", ""],
    ["only space", " \n"],
    ["two documents", "{} {}"],
    ["a trailing comma", '{"a":1,}'],
    ["a comment", '{"a":1/* */}'],
    ["a leading zero", "[01]"],
    ["a plus sign", "[+1]"],
    ["a bare point", "[.5]"],
    ["NaN", "[NaN]"],
    ["a raw newline in a string", '["a\nb"]'],
    ["a half escape", '["\\u12"]'],
    ["an unquoted key", "{a:1}"],
    ["a no-break space", "\u00a0{}"],
    ["a depth bomb", "[".repeat(60_000)],
    ["a closed depth bomb", "[".repeat(1_000) + "]".repeat(1_000)],
    ["an object bomb", '{"a":'.repeat(10_000)],
  ])("refuses %s as malformed_json", (_name, text) => {
    expect(refusalOf(text)).toBe("malformed_json");
  });

  it.each([
    ["100", 100],
    ["100.0", 100],
    ["1e2", 100],
    ["1E+2", 100],
    ["100.50", 100.5],
    ["0.1", 0.1],
    ["9007199254740991", 9007199254740991],
    ["0.00000012", 0.00000012],
    ["123456789012345", 123456789012345],
  ])("reads %s by its value", (literal, value) => {
    expect(parseStrictJson(literal)).toBe(value);
  });

  it.each([
    "9007199254740991.4",
    "100.00000000000000000001",
    "9007199254740993",
    "1e400",
    "1e-400",
    `1${"0".repeat(500)}`,
    "0.1000000000000000055",
  ])("does not round %s", (literal) => {
    expect(parseStrictJson(literal)).toEqual(new InexactNumber(literal));
  });

  it("keeps __proto__ a harmless key", () => {
    const value = parseStrictJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(Object(value))).toEqual(["__proto__", "constructor"]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("reads anything in a time that grows with its length, not with its square", () => {
    const hostile = (length: number) => [
      '"'.repeat(length),
      `["${"\\u0061".repeat(length / 6)}`,
      "9".repeat(length),
      `"${"\\".repeat(length)}`,
    ];
    const read = (texts: readonly string[]) => fastestOf(5, () => texts.forEach(refusalOf));
    const [short, long] = [hostile(4_096), hostile(65_536)];
    read(short);
    // Sixteen times as long: a square would take 256 times as long.
    expect(read(long)).toBeLessThan(64 * read(short) + 1);
  });
});

function withoutInexact(value: unknown): unknown {
  if (value instanceof InexactNumber) return Number(value.literal);
  if (Array.isArray(value)) return value.map(withoutInexact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutInexact(inner)]));
}

/** Counted by another way than the parser's: a reviver sees one key where the text has two. */
function hasRepeatedKey(text: string): boolean {
  const inText = text.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0;
  let kept = 0;
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const inner of Object.values(value)) count(inner);
    if (!Array.isArray(value)) kept += Object.keys(value).length;
  };
  count(JSON.parse(text));
  return inText > kept;
}
