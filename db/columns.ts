import { type AnyPgColumn, bigint, customType, integer, numeric, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { type Decimal, decimal, formatDecimal } from "#domain/decimal.ts";

/** An instant, to the millisecond, as every answer shows it. `column` is its name in the database where the code calls it otherwise. */
export const instant = (column = "") => timestamp(column, { precision: 3, withTimezone: true, mode: "date" });

/** Fiat in ISO 4217 minor units. */
export const minorUnits = () => bigint({ mode: "bigint" });

/** Crypto in the token's base units: any unsigned 256-bit number. */
export const baseUnits = () => numeric({ precision: 78, scale: 0, mode: "bigint" });

/** An exact decimal, such as a rate. */
export const exactDecimal = customType<{ data: Decimal; driverData: string }>({
  dataType: () => "numeric",
  fromDriver: (text) => decimal(text),
  toDriver: (value) => formatDecimal(value),
});

/** The price that was agreed on, with all that it was made of (`AgreedPrice`). `terms`: the id of the version of the pair's terms. */
export const priceColumns = (terms: () => AnyPgColumn) => ({
  exchangeRate: exactDecimal().notNull(),
  midRate: exactDecimal().notNull(),
  spreadBps: integer().notNull(),
  rateSource: text().notNull(),
  rateAsOf: instant().notNull(),
  pairTermsId: text().notNull().references(terms),
});

/** A settlement's quote: the price, the resulting amounts, and its expiry. */
export const quoteColumns = (terms: () => AnyPgColumn) => ({
  ...priceColumns(terms),
  grossBase: baseUnits().notNull(),
  platformFeeBase: baseUnits().notNull(),
  destinationAmountBase: baseUnits().notNull(),
  pricedAt: instant().notNull(),
  expiresAt: instant().notNull(),
});

type AsText<Value> = Value extends bigint | Date ? string : Value;
/** A row from a handwritten statement: instants, and values larger than a number, come as text. */
export type Raw<Row> = { [Key in keyof Row]: AsText<Row[Key]> };

/** The row that such a statement means, which names its columns as the code does. `instants`, `integers`: what came as text, or null. */
export function fromRaw<Row extends object>(
  raw: Raw<Row>,
  { instants = [], integers = [] }: { instants?: readonly (keyof Row)[]; integers?: readonly (keyof Row)[] },
): Row {
  const read = new Map<keyof Row, (text: string) => unknown>([
    ...instants.map((name) => [name, (text: string) => new Date(text)] as const),
    ...integers.map((name) => [name, BigInt] as const),
  ]);
  const row = { ...raw };
  for (const [name, as] of read) if (row[name] !== null) Reflect.set(row, name, as(row[name] as string));
  return row as Row;
}

/** Due work: until when (real time) a worker has leased the row, and with which token. See `db/lease.ts`. */
export const leaseColumns = () => ({ leaseUntil: instant(), leaseToken: uuid() });
