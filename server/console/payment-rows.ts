import type { z } from "zod";
import { batchItem } from "#contract/settlement/v1/batches.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { parseAmount } from "#domain/money.ts";
import type { PaymentColumn, PaymentRow, RowFault } from "#domain/payment-file.ts";
import { type Fault, isRefusal } from "#domain/refusal.ts";
import type { BatchItem } from "#server/services/settlements/batches/create-batch.ts";

/** Rows of an uploaded file as the items of a batch. What is wrong with one is a sentence at its column, not an error. */

const PLAIN_AMOUNT = /^\d{1,16}(\.\d{1,4})?$/;
const TEXTS = {
  external_tx_id: batchItem.shape.external_tx_id,
  external_merchant_id: batchItem.shape.external_merchant_id,
  destination_currency: batchItem.shape.destination_currency,
  chain: batchItem.shape.chain,
  wallet_address: batchItem.shape.wallet_address,
} as const satisfies Partial<Record<PaymentColumn, z.ZodType<string>>>;

export type ReadRows = { items: BatchItem[] /** Which row each item is. */; places: number[]; faults: RowFault[] };

/** The items of the rows that can be read, and the faults of the others. */
export function readRows(rows: readonly PaymentRow[]): ReadRows {
  const read: ReadRows = { items: [], places: [], faults: [] };
  for (const [row, cells] of rows.entries()) {
    const faults = faultsOf(cells).map((fault) => ({ row, ...fault }));
    const sourceAmountMinor = minorOf(cells);
    if (faults.length > 0 || sourceAmountMinor === null) read.faults.push(...faults);
    else {
      read.places.push(row);
      read.items.push({ ...itemOf(cells), sourceAmountMinor });
    }
  }
  return read;
}

function itemOf(cells: PaymentRow): Omit<BatchItem, "sourceAmountMinor"> {
  return {
    externalTxId: cells.external_tx_id,
    externalMerchantId: cells.external_merchant_id,
    sourceCurrency: cells.source_currency,
    destinationCurrency: cells.destination_currency,
    chain: cells.chain,
    walletAddress: cells.wallet_address,
    callbackUrl: null,
  };
}

function faultsOf(cells: PaymentRow): Omit<RowFault, "row">[] {
  const texts = Object.entries(TEXTS).flatMap(([name, schema]) => {
    const column = name as keyof typeof TEXTS;
    if (cells[column] === "") return [{ column, message: "is required" }];
    const { error } = schema.safeParse(cells[column]);
    return error === undefined ? [] : [{ column, message: error.issues[0]?.message ?? "is invalid" }];
  });
  return [...texts, ...moneyFaults(cells)];
}

function moneyFaults(cells: PaymentRow): Omit<RowFault, "row">[] {
  const currency = findFiatCurrency(cells.source_currency);
  if (currency === null) return [{ column: "source_currency", message: "is no ISO 4217 currency code, such as KES" }];
  if (minorOf(cells) !== null) return [];
  const example = currency.exponent === 0 ? "1250" : `1250.${"5".padEnd(currency.exponent, "0")}`;
  return [{ column: "amount", message: `must be an amount of ${currency.code} above 0, such as ${example}` }];
}

/** In minor units of its currency; null: it is no amount of it. */
function minorOf({ amount, source_currency }: PaymentRow): bigint | null {
  const currency = findFiatCurrency(source_currency);
  if (currency === null || !PLAIN_AMOUNT.test(amount)) return null;
  const minor = parseAmount(amount, currency.exponent);
  return minor !== null && minor > 0n && minor <= BigInt(Number.MAX_SAFE_INTEGER) ? minor : null;
}

const COLUMNS: Readonly<Record<string, PaymentColumn>> = {
  external_tx_id: "external_tx_id",
  chain: "chain",
  source_amount: "amount",
  wallet_address: "wallet_address",
};

/**
 * The faults of a refused batch at their rows. Rethrows what is not about the rows: no rate, no liquidity.
 *
 * @throws whatever has no place in a row
 */
export function rowFaultsOf(error: unknown, places: readonly number[]): RowFault[] {
  const errors = isRefusal(error) ? (error.particulars.errors ?? []) : [];
  const faults = errors.map((fault) => placed(fault, places));
  if (faults.length === 0 || faults.includes(null)) throw error;
  return faults.filter((fault) => fault !== null);
}

function placed({ pointer = "", message }: Fault, places: readonly number[]): RowFault | null {
  const [, index, field] = /^\/items\/(\d+)(?:\/(\w+))?$/.exec(pointer) ?? [];
  const row = places[Number(index)];
  return row === undefined ? null : { row, column: COLUMNS[field ?? ""] ?? null, message };
}
