import { z } from "zod";
import { exactAmount, exactNumber, plainText, timestamp } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import type { Decimal } from "#domain/decimal.ts";

export const fiatCurrencySchema = plainText(1, 16).describe("The fiat currency as an ISO 4217 code, such as USD");
export const cryptoCurrencySchema = plainText(1, 16).describe("The symbol of a token or coin, such as USDT");
const OBSERVED = "When the rate was observed. For a fixed rate, when it was set";

/** A mid rate, before any spread (contract, part 9). */
export const exchangeRateSchema = z.object({
  source_currency: fiatCurrencySchema.describe("The fiat currency as an ISO 4217 code, such as KES"),
  destination_currency: cryptoCurrencySchema.describe("The symbol of the token or coin, such as USDT"),
  rate: exactAmount("The mid rate, before any spread: units of destination_currency for one major unit of source_currency"),
  source: z.string().describe("The source of the rate"),
  as_of: timestamp.describe(OBSERVED),
});

export const convertQuery = z.strictObject({
  from: plainText(1, 16).describe("The currency to convert from, fiat or crypto"),
  to: plainText(1, 16).describe("The currency to convert to. If from is fiat it must be crypto, and the other way round"),
  amount: plainText(1, 64).describe("The amount of from to convert. Fiat is in minor units, crypto in units"),
});

export const conversionSchema = z.object({
  from: z.string().describe("The currency that was converted from, as you asked"),
  to: z.string().describe("The currency that was converted to, as you asked"),
  amount: exactAmount("The amount of from, as you asked. Fiat is in minor units, crypto in units"),
  rate: exactAmount("The mid rate: units of to for one unit of from. For fiat, the unit is the major unit"),
  converted_amount: exactAmount("The converted amount, rounded down. Fiat is in minor units, crypto in units"),
  as_of: timestamp.describe(OBSERVED),
});

type Rate = { sourceCurrency: string; destinationCurrency: string; rate: Decimal; source: string; asOf: Date };

export function renderExchangeRate(rate: Rate): z.infer<typeof exchangeRateSchema> {
  return {
    ...toWire(rate, "sourceCurrency", "destinationCurrency"),
    rate: exactNumber(rate.rate),
    ...toWire(rate, "source", "asOf"),
  };
}

type Conversion = { from: string; to: string; amount: Decimal; rate: Decimal; convertedAmount: Decimal; asOf: Date };

export function renderConversion(conversion: Conversion): z.infer<typeof conversionSchema> {
  return {
    ...toWire(conversion, "from", "to"),
    amount: exactNumber(conversion.amount),
    rate: exactNumber(conversion.rate),
    converted_amount: exactNumber(conversion.convertedAmount),
    ...toWire(conversion, "asOf"),
  };
}
