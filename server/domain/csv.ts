/** Numbers as we write them: nothing a spreadsheet could take for a formula. */
const NUMBER = /^-?\d+(\.\d+)?$/;
/** What makes a spreadsheet calculate instead of show. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of a CSV file (RFC 4180), for people who open it in a spreadsheet: a text that would be taken for a formula is put behind
 * an apostrophe, quotes are doubled, and what holds a separator is quoted.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
