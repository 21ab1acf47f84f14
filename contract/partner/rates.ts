import { z } from "zod";
import { exactAmount, exactNumber, plainText, timestamp } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import type { Decimal } from "#domain/decimal.ts";

export const fiatCurrencySchema = plainText(1, 16).describe("Fiat currency, ISO 4217 code such as USD");
export const cryptoCurrencySchema = plainText(1, 16).describe("Symbol of a token or coin, such as USDT");
const OBSERVED = "When the rate was observed, or set where it is fixed";

/** A mid rate, before any spread (contract, part 9). */
export const exchangeRateSchema = z.object({
  source_currency: fiatCurrencySchema.describe("The fiat, ISO 4217 code"),
  destination_currency: cryptoCurrencySchema.describe("The crypto: symbol of a token or coin"),
  rate: exactAmount("Mid rate, before any spread: destination units per one major unit of the source"),
  source: z.string().describe("Where the rate comes from"),
  as_of: timestamp.describe(OBSERVED),
});

export const convertQuery = z.strictObject({
  from: plainText(1, 16).describe("What is converted: a fiat or crypto currency"),
  to: plainText(1, 16).describe("What it is converted to: a currency of the other kind"),
  amount: plainText(1, 64).describe("How much of from: fiat in minor units, crypto in units"),
});

export const conversionSchema = z.object({
  from: z.string().describe("What is converted, as asked: a fiat or crypto currency"),
  to: z.string().describe("What it is converted to, as asked"),
  amount: exactAmount("How much of from, as asked: fiat in minor units, crypto in units"),
  rate: exactAmount("Mid rate: units of to per one unit of from; of fiat the major unit"),
  converted_amount: exactAmount("What amount comes to: fiat in minor units, crypto in units; rounded down"),
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
