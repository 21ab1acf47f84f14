import type { Decimal } from "./decimal.ts";

export type CurrencyPair = { sourceCurrency: string; destinationCurrency: string };

/** One price from a source: `destination` units per one major unit of `source`, before any spread. */
export type RateObservation = { sourceCurrency: string; destinationCurrency: string; midRate: Decimal; source: string; asOf: Date };
