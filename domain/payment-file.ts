import { MOST_ITEMS } from "./batch-size.ts";
import { parseCsv } from "./csv.ts";

/** Files of payments: what people upload in the console, and what they get back. Pure, so that browser and service read alike. */

/** The columns of a file, in the order of the template. `amount`: in units of the source currency, such as `1250.50`. */
export const PAYMENT_COLUMNS = [
  "external_tx_id",
  "external_merchant_id",
  "amount",
  "source_currency",
  "destination_currency",
  "chain",
  "wallet_address",
] as const;
export type PaymentColumn = (typeof PAYMENT_COLUMNS)[number];
/** One line of a file, as it was written. */
export type PaymentRow = Record<PaymentColumn, string>;
/** A fault of a file's row, at a column; null: of the row as a whole. `row` counts from 0, without the head. */
export type RowFault = { row: number; column: PaymentColumn | null; message: string };

export const MOST_ROWS = 10_000;
/** The most batches that a file becomes. */
export const MOST_PARTS = MOST_ROWS / MOST_ITEMS;
/** No cell of a valid file is longer. */
const LONGEST_CELL = 256;

/**
 * The rows of a CSV file. It may begin with a byte order mark, be separated by commas, semicolons or tabs, and have its columns in any
 * order. Every cell is text: nothing is calculated, and spaces around it go.
 *
 * @throws RangeError with a sentence for people, for a file that is no CSV, misses or repeats a column, or has no row or too many
 */
export function readPaymentFile(text: string): PaymentRow[] {
  const plain = text.replace(/^\uFEFF/, "");
  const [head = [], ...lines] = linesOf(plain);
  const names = head.map((cell) => cell.trim().toLowerCase());
  refuseHead(names);
  if (lines.length === 0) throw new RangeError("The file has no payments below its head.");
  if (lines.length > MOST_ROWS) throw new RangeError(`The file has ${lines.length} payments. At most ${MOST_ROWS} are possible.`);
  const place = Object.fromEntries(PAYMENT_COLUMNS.map((column) => [column, names.indexOf(column)])) as Record<PaymentColumn, number>;
  return lines.map((cells, index) => {
    if (cells.length > names.length) throw new RangeError(`Row ${index + 1} has ${cells.length} cells, but the head has ${names.length}.`);
    const of = (column: PaymentColumn) => (cells[place[column]] ?? "").trim().slice(0, LONGEST_CELL);
    return Object.fromEntries(PAYMENT_COLUMNS.map((column) => [column, of(column)])) as PaymentRow;
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

function refuseHead(names: readonly string[]): void {
  const missing = PAYMENT_COLUMNS.filter((column) => !names.includes(column));
  const unknown = names.filter((name) => name !== "" && !PAYMENT_COLUMNS.some((column) => column === name));
  const repeated = PAYMENT_COLUMNS.filter((column) => names.indexOf(column) !== names.lastIndexOf(column));
  const faults = [
    missing.length > 0 && `misses ${missing.join(", ")}`,
    unknown.length > 0 && `has unknown columns: ${unknown.join(", ")}`,
    repeated.length > 0 && `names ${repeated.join(", ")} twice`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new RangeError(`The first line must name the columns. It ${faults.join(" and ")}.`);
}

/** Each place where a reference occurs twice in a file. */
export function repeatedReferences(rows: readonly PaymentRow[]): RowFault[] {
  const first = new Map<string, number>();
  return rows.flatMap(({ external_tx_id: reference }, row) => {
    const before = first.get(reference);
    if (before === undefined) first.set(reference, row);
    return before === undefined || reference === ""
      ? []
      : [{ row, column: "external_tx_id" as const, message: `is already in row ${before + 1}` }];
  });
}

/** The batches that a file becomes: its rows in order, up to 500 in each. */
export function partsOf<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / MOST_ITEMS);
  return Array.from({ length: count }, (_, part) => rows.slice(part * MOST_ITEMS, (part + 1) * MOST_ITEMS));
}

/** The name of a part, as `external_batch_id` has it: the file's own where there is only one. */
export function partName(file: string, part: number, parts: number): string {
  return parts === 1 ? file : `${file} ${part + 1}/${parts}`;
}
