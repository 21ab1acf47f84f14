/** Numbers as we write them: nothing a spreadsheet could take for a formula. */
const NUMBER = /^-?\d+(\.\d+)?$/;
/** What makes a spreadsheet calculate instead of show; some read the full-width signs as the plain ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * One line of a CSV file (RFC 4180), safe for spreadsheets: a text that looks like a formula gets an apostrophe in front, quotes are
 * doubled, and cells with a separator are quoted.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The lines of a CSV file (RFC 4180; lines may end in a bare newline, empty lines are skipped), each as its cells.
 *
 * @throws RangeError for a quote that is never closed or is misplaced
 */
export function parseCsv(text: string, separator: "," | ";" | "\t" = ","): string[][] {
  const lines: string[][] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, "y");
  let line: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) throw new RangeError(`line ${lines.length + 1} is no CSV`);
    const [, quoted, plain = "", end] = found;
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== separator) {
      if (line.length > 1 || line[0] !== "") lines.push(line);
      line = [];
    }
    if (cell.lastIndex === at) break;
    if (end === separator && cell.lastIndex === text.length) lines.push([...line, ""]);
  }
  return lines;
}
