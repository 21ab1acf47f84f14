import { bigint, customType, numeric, timestamp } from "drizzle-orm/pg-core";
import { type Decimal, decimal, formatDecimal } from "#domain/decimal.ts";

/** An instant, to the millisecond, as every answer shows it. */
export const instant = () => timestamp({ precision: 3, withTimezone: true, mode: "date" });

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
