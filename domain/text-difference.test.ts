import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareTexts } from "./text-difference.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "😀"), maxLength: 60 });
const read = (parts: ReturnType<typeof compareTexts>, without: string) =>
  parts.map(({ kind, text: part }) => (kind === without ? "" : part)).join("");

describe("the difference of two texts", () => {
  it("adds up to both of them, whatever they are", () => {
    fc.assert(
      fc.property(text, text, (wanted, given) => {
        const parts = compareTexts(wanted, given);
        expect(read(parts, "extra")).toBe(wanted);
        expect(read(parts, "missing")).toBe(given);
      }),
    );
  });

  it("is nothing where they are equal, and the one character where that is all", () => {
    expect(compareTexts("abc", "abc")).toEqual([{ kind: "same", text: "abc" }]);
    expect(compareTexts("", "")).toEqual([]);
    expect(compareTexts("POST\n/api", "POST\r\n/api")).toEqual([
      { kind: "same", text: "POST" },
      { kind: "extra", text: "\r" },
      { kind: "same", text: "\n/api" },
    ]);
    expect(compareTexts('{"a":1,"b":2}', '{"a": 1,"b": 2}').filter(({ kind }) => kind !== "same")).toEqual([
      { kind: "extra", text: " " },
      { kind: "extra", text: " " },
    ]);
  });

  it("finds no more changes than there are", () => {
    fc.assert(
      fc.property(text, fc.nat(), (whole, place) => {
        const units = [...whole];
        const cut = units.toSpliced(place % (units.length + 1), 1).join("");
        const changed = compareTexts(whole, cut).filter(({ kind }) => kind !== "same");
        expect(changed.map(({ text: part }) => [...part].length).reduce((sum, each) => sum + each, 0)).toBe(units.length - [...cut].length);
      }),
    );
  });

  it("compares two long and entirely different texts", () => {
    const parts = compareTexts("a".repeat(65_536), "b".repeat(65_536));
    expect(parts.map(({ kind }) => kind)).toEqual(["missing", "extra"]);
  });
});
