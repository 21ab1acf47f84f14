import { MOST_ITEMS } from "./batch-size.ts";
import { readTable, repeatedCells, type TableFault } from "./table-file.ts";

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
export type RowFault = TableFault<PaymentColumn>;

export const MOST_ROWS = 10_000;
/** The most batches that a file becomes. */
export const MOST_PARTS = MOST_ROWS / MOST_ITEMS;

/**
 * The rows of a CSV file, as {@link readTable} reads them.
 *
 * @throws RangeError with a sentence for people
 */
export function readPaymentFile(text: string): PaymentRow[] {
  return readTable(text, PAYMENT_COLUMNS, MOST_ROWS);
}

/** Each place where a reference occurs twice in a file. */
export function repeatedReferences(rows: readonly PaymentRow[]): RowFault[] {
  return repeatedCells(rows, "external_tx_id");
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
