import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInnerList, parseDictionary, writeInnerList, writeItem } from "./structured-fields.ts";

/** The text as it is written in the one way that there is. */
function rewritten(text: string): string | null {
  const read = parseDictionary(text);
  if (read === null) return null;
  return [...read].map(([name, member]) => `${name}=${isInnerList(member) ? writeInnerList(member) : writeItem(member)}`).join(", ");
}

describe("a dictionary of structured fields (RFC 8941)", () => {
  it("is read and written in the one way that there is", () => {
    for (const [text, right] of [
      ['sig1=("@method" "@query-param";name="a b");created=1618884473;keyid="k"', null],
      ["a=?1, b=?0, c=:AAAA:, d=token/x, e=-15", null],
      ['a=(  "x"   "y"  ),b=1', 'a=("x" "y"), b=1'],
      ["a;x=1;  y", "a=?1;x=1;y"],
      ['a="q\\"\\\\"', null],
      ["a=1, b=2, a=3", "a=3, b=2"],
      ["a=();p=1;q=2;p=3", "a=();p=3;q=2"],
      ["", ""],
      ["   ", ""],
    ] as const)
      expect(rewritten(text), text).toBe(right ?? text);
  });

  it("is none where anything of it is malformed", () => {
    const malformed = [
      "a=1,",
      "a=1 b=2",
      "A=1",
      "=1",
      "a=",
      'a="x',
      'a="\\x"',
      'a="\u00fc"',
      "a=(1",
      "a=(1)2",
      'a=("x""y")',
      "a=:A:",
      "a=:AA=A:",
      "a=?2",
      "a=1.5",
      "a=1234567890123456",
      "a=--1",
      "a=1;",
      "a=1;B",
      ",a=1",
      "a=1,,b=2",
      "a=@x",
    ];
    for (const text of malformed) expect(parseDictionary(text), text).toBeNull();
  });

  it("of whatever text is read or refused, and what was written is read as the same", () => {
    const pieces = fc.constantFrom("a", "sig1", "=", "(", ")", '"x"', '"', " ", ";", ",", ":AAAA:", "?1", "12", "-", "\\", "é", "tok");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const once = rewritten(parts.join(""));
        if (once !== null) expect(rewritten(once)).toBe(once);
      }),
      { numRuns: 3_000 },
    );
  });
});
