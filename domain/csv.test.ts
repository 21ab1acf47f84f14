import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine, parseCsv } from "./csv.ts";

describe("a line of CSV", () => {
  it("separates, quotes and ends as RFC 4180 says", () => {
    expect(csvLine(["plain", 'say "hi"', "a,b", "two\nlines", ""])).toBe('plain,"say ""hi""","a,b","two\nlines",\r\n');
  });

  it.each(["=1+1", "+1", "@SUM(A1)", "-cmd|calc", "\t=1", "\r=1", "\n=1", "-1-1", "＝1+1", "＋1", "－1", "＠SUM(A1)"])(
    "shows %j and never calculates it",
    (text) => {
      expect(csvLine([text]).replaceAll('"', "")).toMatch(/^'/);
    },
  );

  it.each(["-12.50", "0", "-0.00000001", "123456789012345678901234567890"])("leaves the number %s as it is", (number) => {
    expect(csvLine([number])).toBe(`${number}\r\n`);
  });

  it("can be read back, whatever the texts are", () => {
    const text = fc.string().filter((value) => !/^[=+\-@\t\r\n＝＋－＠]/.test(value));
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

describe("a CSV file", () => {
  it("is read line by line: quoted cells, either end of line, no last end, empty cells and empty lines", () => {
    expect(parseCsv('a,"b ""c"", d"\r\n\n1,\n"two\nlines",x')).toEqual([
      ["a", 'b "c", d'],
      ["1", ""],
      ["two\nlines", "x"],
    ]);
    expect(parseCsv("a,")).toEqual([["a", ""]]);
    expect(parseCsv("")).toEqual([]);
  });

  it("is read back as it was written, whatever the texts are", () => {
    const line = fc.array(
      fc.string({ minLength: 1 }).filter((text) => !/^[=+\-@\t\r\n＝＋－＠]/.test(text)),
      { minLength: 1 },
    );
    fc.assert(fc.property(fc.array(line), (lines) => void expect(parseCsv(lines.map(csvLine).join(""))).toEqual(lines)));
  });

  it.each(['"never closed', 'a"b,c', '"a"b'])("that reads %j is none", (text) => {
    expect(() => parseCsv(text)).toThrow("line 1 is no CSV");
  });
});
