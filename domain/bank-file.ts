import type { Declared } from "./booking.ts";
import { findFiatCurrency } from "./currency.ts";
import { parseAmount } from "./money.ts";
import { readTable, repeatedCells, type TableFault, type TableRow } from "./table-file.ts";

/** Files of what partners have paid, as an operator takes them from its bank. */

/** `partner`: its slug or its id. `amount`: in units of the currency. `received_at`: a day, or an instant with its zone. */
export const BANK_COLUMNS = ["reference", "partner", "amount", "currency", "received_at"] as const;
export type BankColumn = (typeof BANK_COLUMNS)[number];
export type BankRow = TableRow<BankColumn>;
export type BankFault = TableFault<BankColumn>;

export const MOST_BANK_ROWS = 1_000;

/** The rows of a bank's file. @throws RangeError with a sentence for people */
export function readBankFile(text: string): BankRow[] {
  return readTable(text, BANK_COLUMNS, MOST_BANK_ROWS);
}

/** The payments that rows are, or every fault of theirs. `partners`: ids by slug and by id. */
export function readBankRows(
  rows: readonly BankRow[],
  partners: ReadonlyMap<string, string>,
  now: Date,
): { items: (Declared & { row: number })[]; faults: BankFault[] } {
  const faults: BankFault[] = [...repeatedCells(rows, "reference")];
  const items = rows.flatMap((cells, row) => {
    const found = faultsOf(cells, partners, now);
    faults.push(...found.map((fault) => ({ row, ...fault })));
    const partnerId = partners.get(cells.partner.toLowerCase());
    const amountMinor = amountOf(cells);
    const receivedAt = instantOf(cells.received_at);
    if (found.length > 0 || partnerId === undefined || amountMinor === null || receivedAt === null) return [];
    const { reference, currency } = cells;
    return [{ row, kind: "partner_payment" as const, partnerId, currency, amountMinor, reference, orderId: null, receivedAt }];
  });
  return { items, faults: faults.toSorted((one, other) => one.row - other.row) };
}

function faultsOf(cells: BankRow, partners: ReadonlyMap<string, string>, now: Date): Omit<BankFault, "row">[] {
  const { reference, partner, amount, currency, received_at: received } = cells;
  const exponent = findFiatCurrency(currency)?.exponent;
  const at = instantOf(received);
  const found: (Omit<BankFault, "row"> | false)[] = [
    (reference === "" || reference.length > 128) && { column: "reference", message: "must have 1 to 128 characters" },
    !partners.has(partner.toLowerCase()) && { column: "partner", message: "is no partner's slug or id" },
    exponent === undefined && { column: "currency", message: "must be an ISO 4217 code in capitals" },
    exponent !== undefined &&
      amountOf(cells) === null && { column: "amount", message: amount === "" ? "is missing" : amountFault(currency, exponent) },
    at === null && { column: "received_at", message: "must be a day such as 2026-11-27, or an instant with its zone" },
    at !== null && at.getTime() > now.getTime() && { column: "received_at", message: "must not be in the future" },
  ];
  return found.filter((fault) => fault !== false);
}

function amountFault(currency: string, exponent: number): string {
  return exponent === 0 ? `must be whole ${currency}` : `must be more than nothing, with at most ${exponent} decimals`;
}

function amountOf({ amount, currency }: BankRow): bigint | null {
  const exponent = findFiatCurrency(currency)?.exponent;
  if (exponent === undefined || !/^\d{1,16}(\.\d{1,4})?$/.test(amount)) return null;
  const minor = parseAmount(amount, exponent);
  return minor !== null && minor > 0n && minor <= BigInt(Number.MAX_SAFE_INTEGER) ? minor : null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

function instantOf(text: string): Date | null {
  if (!DAY.test(text) && !INSTANT.test(text)) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1) return null;
  // JavaScript takes the 31st of February for a day of March.
  return DAY.test(text) && at.toISOString().slice(0, 10) !== text ? null : at;
}
