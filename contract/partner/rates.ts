import { z } from "zod";
import { exactNumber, instant, plainText, timestamp } from "#contract/primitives.ts";
import type { Decimal } from "#domain/decimal.ts";

export const fiatCurrencySchema = plainText(1, 16).describe("ISO 4217 code");
export const cryptoCurrencySchema = plainText(1, 16).describe("Symbol of a token or coin, such as USDT");

/** A mid rate, before any spread (contract, part 9). */
export const exchangeRateSchema = z.object({
  source_currency: fiatCurrencySchema,
  destination_currency: cryptoCurrencySchema,
  rate: z.number().describe("Destination units per one major unit of the source"),
  source: z.string().describe("Where the rate comes from"),
  as_of: timestamp,
});

export const convertQuery = z.strictObject({
  from: plainText(1, 16).describe("A fiat or crypto currency"),
  to: plainText(1, 16).describe("The other kind of currency"),
  amount: plainText(1, 64).describe("Fiat in minor units, crypto in units"),
});

export const conversionSchema = z.object({
  from: z.string(),
  to: z.string(),
  amount: z.number(),
  rate: z.number().describe("Units of to per one unit of from; of fiat the major unit"),
  converted_amount: z.number().describe("Fiat in minor units, crypto in units; rounded down"),
  as_of: timestamp,
});

type Rate = { sourceCurrency: string; destinationCurrency: string; rate: Decimal; source: string; asOf: Date };

export function renderExchangeRate(rate: Rate): z.infer<typeof exchangeRateSchema> {
  return {
    source_currency: rate.sourceCurrency,
    destination_currency: rate.destinationCurrency,
    rate: exactNumber(rate.rate),
    source: rate.source,
    as_of: instant(rate.asOf),
  };
}

type Conversion = { from: string; to: string; amount: Decimal; rate: Decimal; convertedAmount: Decimal; asOf: Date };

export function renderConversion(conversion: Conversion): z.infer<typeof conversionSchema> {
  return {
    from: conversion.from,
    to: conversion.to,
    amount: exactNumber(conversion.amount),
    rate: exactNumber(conversion.rate),
    converted_amount: exactNumber(conversion.convertedAmount),
    as_of: instant(conversion.asOf),
  };
}
