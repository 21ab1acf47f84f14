import { findFiatCurrency } from "#domain/currency.ts";
import { fiatAmount } from "#domain/money.ts";

/** An amount of the API for people: fiat, which the API gives in minor units, in decimals; crypto as it is; always with its currency. */
export function amountText(amount: number, currency: string): string {
  return `${findFiatCurrency(currency) === null ? plain(amount) : fiatAmount(BigInt(amount), currency)} ${currency}`;
}

/** The API writes at most 8 decimals, and never an exponent. */
function plain(amount: number): string {
  const text = String(amount);
  return text.includes("e") ? amount.toFixed(8).replace(/\.?0+$/, "") : text;
}
