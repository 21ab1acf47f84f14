import { type Decimal, decimal, divideDown, floorToUnits, multiply, normalize, parseDecimal } from "./decimal.ts";
import { fitsWrittenDigits } from "./money.ts";
import { isPublishableRate, publishedMidRate, RATE_DIGITS } from "./quote.ts";
import { type Fault, Refusal } from "./refusal.ts";

const AMOUNT = "amount";

/**
 * The amount to convert: above zero, with a limited number of decimals, and exact in every JSON parser.
 *
 * @throws Refusal `validation_failed`, `amount_too_large`, pointing at the parameter `amount`.
 */
export function readConvertible(text: string, decimals: number): Decimal {
  const value = parseDecimal(text);
  if (value === null || value.coefficient <= 0n || normalize(value).scale > decimals) {
    const message =
      decimals === 0 ? "must be a whole number of minor units above zero" : `must be above zero with at most ${decimals} decimals`;
    throw new Refusal("validation_failed", { errors: [fault("invalid", message)] });
  }
  return writable(normalize(value));
}

export type ConvertAmount = {
  direction: "fiat_to_crypto" | "crypto_to_fiat";
  /** Fiat in minor units, crypto in units. */
  amount: Decimal;
  /** Crypto units per major unit of the fiat. */
  midRate: Decimal;
  /** Of the fiat's minor unit. */
  exponent: number;
  /** That amounts of the crypto currency are written with. */
  cryptoDecimals: number;
};

/**
 * Converts at the published rate of 12 significant digits, so that amount × rate, truncated after the last unit, is the result. Every shown
 * rate is rounded down, also the inverse of the mid rate (contract, part 10): what one crypto unit buys is never overstated.
 *
 * @throws Refusal `amount_too_large` for a result that cannot be written, `rate_unavailable` for a rate that is no price.
 */
export function convertAmount(input: ConvertAmount): { rate: Decimal; convertedAmount: Decimal } {
  const mid = publishable(publishedMidRate(input.midRate));
  if (input.direction === "fiat_to_crypto") {
    const major = { coefficient: input.amount.coefficient, scale: input.amount.scale + input.exponent };
    const units = floorToUnits(multiply(major, mid), input.cryptoDecimals);
    return { rate: mid, convertedAmount: writable(normalize({ coefficient: units, scale: input.cryptoDecimals })) };
  }
  const rate = publishable(divideDown(decimal("1"), mid, RATE_DIGITS));
  const minor = floorToUnits(multiply(input.amount, rate), input.exponent);
  return { rate, convertedAmount: writable({ coefficient: minor, scale: 0 }) };
}

function publishable(rate: Decimal): Decimal {
  if (isPublishableRate(rate)) return rate;
  throw new Refusal("rate_unavailable", { cause: "the mid rate cannot be published" });
}

function writable(value: Decimal): Decimal {
  if (fitsWrittenDigits(value)) return value;
  const message = "The amount or what it converts to cannot be written exactly in JSON.";
  throw new Refusal("amount_too_large", { detail: message, errors: [fault("amount_too_large", message)] });
}

function fault(code: Fault["code"], message: string): Fault {
  return { parameter: AMOUNT, code, message };
}
