import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine } from "./csv.ts";

describe("a line of CSV", () => {
  it("separates, quotes and ends as RFC 4180 says", () => {
    expect(csvLine(["plain", 'say "hi"', "a,b", "two\nlines", ""])).toBe('plain,"say ""hi""","a,b","two\nlines",\r\n');
  });

  it.each(["=1+1", "+1", "@SUM(A1)", "-cmd|calc", "\t=1", "\r=1", "-1-1"])("shows %j and never calculates it", (text) => {
    expect(csvLine([text]).replaceAll('"', "")).toMatch(/^'/);
  });

  it.each(["-12.50", "0", "-0.00000001", "123456789012345678901234567890"])("leaves the number %s as it is", (number) => {
    expect(csvLine([number])).toBe(`${number}\r\n`);
  });

  it("can be read back, whatever the texts are", () => {
    const text = fc.string().filter((value) => !/^[=+\-@\t\r]/.test(value));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (cells) => {
        expect(parse(csvLine(cells))).toEqual(cells);
      }),
    );
  });
});

/** As a spreadsheet reads one record. */
function parse(line: string): string[] {
  const cells: string[] = [];
  let rest = line.slice(0, -2);
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const cell = quoted ? (quoted[1] ?? "").replaceAll('""', '"') : (/^[^,]*/.exec(rest)?.[0] ?? "");
    cells.push(cell);
    rest = rest.slice(quoted ? quoted[0].length : cell.length);
    if (rest === "") return cells;
    rest = rest.slice(1);
  }
}
