import { parseCsv } from "./csv.ts";

/** CSV files that people upload. Pure, so that browser and service read alike. */

/** One line of a file, as it was written. */
export type TableRow<Column extends string> = Record<Column, string>;
/** A fault of a file's row, at a column; null: of the row as a whole. `row` counts from 0, without the head. */
export type TableFault<Column extends string> = { row: number; column: Column | null; message: string };

/** No cell of a valid file is longer. */
const LONGEST_CELL = 256;

/**
 * The rows of a CSV file. It may begin with a byte order mark, be separated by commas, semicolons or tabs, and have its columns in any
 * order. Every cell is text: nothing is calculated, and spaces around it go.
 *
 * @throws RangeError with a sentence for people, for a file that is no CSV, misses or repeats a column, or has no row or too many
 */
export function readTable<Column extends string>(text: string, columns: readonly Column[], most: number): TableRow<Column>[] {
  const plain = text.replace(/^\uFEFF/, "");
  const [head = [], ...lines] = linesOf(plain);
  const names = head.map((cell) => cell.trim().toLowerCase());
  refuseHead(names, columns);
  if (lines.length === 0) throw new RangeError("The file has no payments below its head.");
  if (lines.length > most) throw new RangeError(`The file has ${lines.length} payments. At most ${most} are possible.`);
  const place = new Map(columns.map((column) => [column, names.indexOf(column)]));
  return lines.map((cells, index) => {
    if (cells.length > names.length) throw new RangeError(`Row ${index + 1} has ${cells.length} cells, but the head has ${names.length}.`);
    const of = (column: Column) => (cells[place.get(column) ?? -1] ?? "").trim().slice(0, LONGEST_CELL);
    return Object.fromEntries(columns.map((column) => [column, of(column)])) as TableRow<Column>;
  });
}

function linesOf(text: string): string[][] {
  const [first = ""] = text.split(/\r?\n/, 1);
  const separators = [",", ";", "\t"] as const;
  const most = separators.toSorted((one, other) => first.split(other).length - first.split(one).length)[0];
  try {
    return parseCsv(text, most);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`The file is not valid CSV: ${error.message}. Check its quotation marks.`, { cause: error });
  }
}

function refuseHead(names: readonly string[], columns: readonly string[]): void {
  const missing = columns.filter((column) => !names.includes(column));
  const unknown = names.filter((name) => name !== "" && !columns.some((column) => column === name));
  const repeated = columns.filter((column) => names.indexOf(column) !== names.lastIndexOf(column));
  const faults = [
    missing.length > 0 && `misses ${missing.join(", ")}`,
    unknown.length > 0 && `has unknown columns: ${unknown.join(", ")}`,
    repeated.length > 0 && `names ${repeated.join(", ")} twice`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new RangeError(`The first line must name the columns. It ${faults.join(" and ")}.`);
}

/** Each place where a file repeats a cell of a column; empty cells do not count. */
export function repeatedCells<Column extends string>(rows: readonly TableRow<Column>[], column: Column): TableFault<Column>[] {
  const first = new Map<string, number>();
  return rows.flatMap((cells, row) => {
    const before = first.get(cells[column]);
    if (before === undefined) first.set(cells[column], row);
    return before === undefined || cells[column] === "" ? [] : [{ row, column, message: `is already in row ${before + 1}` }];
  });
}
