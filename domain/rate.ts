import type { Decimal } from "./decimal.ts";

export type CurrencyPair = { sourceCurrency: string; destinationCurrency: string };

/** One price as a source tells it: `destination` units per one major unit of `source`, before any spread. */
export type RateObservation = { sourceCurrency: string; destinationCurrency: string; midRate: Decimal; source: string; asOf: Date };
