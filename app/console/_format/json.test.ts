import { describe, expect, it } from "vitest";
import { indentJson } from "./json.ts";

describe("indented JSON", () => {
  it("has the layout of JSON.stringify and every digit of the original", () => {
    const value = { a: [], b: {}, c: [1, { d: 'x{"],:y' }], e: "ü\\n", f: null };
    expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    expect(indentJson('{"n":12345678901234567890.10}')).toBe('{\n  "n": 12345678901234567890.10\n}');
  });

  it("leaves what is no JSON as it is", () => {
    for (const text of ["", "<html>", '{"cut": "of', "[1,"]) expect(indentJson(text)).toBe(text);
  });
});
