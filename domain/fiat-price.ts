import { type Decimal, divideDown, formatDecimal, powerOfTen } from "./decimal.ts";
import { chargeFee } from "./fiat.ts";
import { displayDecimals, displayUnitBase, isPublishable, MAX_WRITTEN_DIGITS } from "./money.ts";
import { isPublishableRate, priceSource, quotedRate, RATE_DIGITS } from "./quote.ts";
import { Refusal } from "./refusal.ts";

/** What a top-up or a withdrawal is priced from. The mid rate and the spread are those of the same pair's settlements. */
export type FiatPriceInput = {
  amountMinor: bigint;
  /** ISO 4217 minor digits of the fiat currency. */
  exponent: number;
  /** Units of the crypto per fiat major unit, before any spread. */
  midRate: Decimal;
  spreadBps: number;
  /** The partner's, 0 to 100. */
  chargeFeePercentage: Decimal;
  tokenDecimals: number;
};

const AMOUNT = { pointer: "/amount" };

export type TopupPrice = { feeMinor: bigint; exchangeRate: Decimal; destinationAmountBase: bigint };

/**
 * What a top-up delivers: the fiat without the partner's fee, at the very rate that a settlement would be quoted, rounded down
 * once. The fee is rounded down to minor units, so it is never more than its percentage.
 *
 * @throws Refusal `amount_too_small` when nothing would be delivered, `amount_too_large`, `rate_unavailable`.
 */
export function priceTopup(input: FiatPriceInput): TopupPrice {
  const feeMinor = chargeFee(input.amountMinor, input.chargeFeePercentage);
  const exchangeRate = quotedRate(input.midRate, input.spreadBps);
  if (feeMinor === input.amountMinor)
    throw refuseTooSmall(`The charge fee of ${formatDecimal(input.chargeFeePercentage)} % leaves nothing to deliver.`);
  const { destinationAmountBase } = priceSource(
    {
      sourceAmountMinor: input.amountMinor - feeMinor,
      sourceExponent: input.exponent,
      exchangeRate,
      platformFeeBase: 0n,
      tokenDecimals: input.tokenDecimals,
    },
    { ...AMOUNT, tooSmall: `The amount${feeMinor > 0n ? ", less the charge fee," : ""} comes to nothing at the current rate.` },
  );
  return { feeMinor, exchangeRate, destinationAmountBase };
}

function refuseTooSmall(message: string): Refusal {
  return new Refusal("amount_too_small", { detail: message, errors: [{ ...AMOUNT, code: "amount_too_small", message }] });
}

export type WithdrawalPrice = { feeMinor: bigint; exchangeRate: Decimal; sourceAmountBase: bigint };

/**
 * What a withdrawal takes: crypto for the fiat that is paid out and the partner's fee on top of it, rounded up once to what can be
 * written. Its rate is published, like every `exchange_rate`, in destination units (fiat) per unit of the source (crypto): the
 * inverse of the mid rate with the pair's spread taken off, rounded down to 12 digits, so that both roundings cover the payout.
 *
 * @throws Refusal `amount_too_large` when the amount cannot be written exactly, `rate_unavailable`.
 */
export function priceWithdrawal(input: FiatPriceInput): WithdrawalPrice {
  const feeMinor = chargeFee(input.amountMinor, input.chargeFeePercentage);
  const exchangeRate = sellingRate(input.midRate, input.spreadBps);
  const unit = displayUnitBase(input.tokenDecimals);
  const places = displayDecimals(input.tokenDecimals);
  // due / 10^exponent / (coefficient / 10^scale), in units of 10^-places
  const dividend = (input.amountMinor + feeMinor) * powerOfTen(exchangeRate.scale + places);
  const divisor = exchangeRate.coefficient * powerOfTen(input.exponent);
  const sourceAmountBase = ((dividend + divisor - 1n) / divisor) * unit;
  if (!isPublishable(sourceAmountBase, input.tokenDecimals)) {
    const message = `The crypto amount cannot be written exactly with ${places} decimals and ${MAX_WRITTEN_DIGITS} digits.`;
    throw new Refusal("amount_too_large", { detail: message, errors: [{ ...AMOUNT, code: "amount_too_large", message }] });
  }
  return { feeMinor, exchangeRate, sourceAmountBase };
}

/** Fiat major units paid per unit of the crypto. */
export function sellingRate(midRate: Decimal, spreadBps: number): Decimal {
  if (!Number.isInteger(spreadBps) || spreadBps < 0 || spreadBps > 9_999) throw new RangeError(`no spread: ${spreadBps} basis points`);
  const unavailable = () => new Refusal("rate_unavailable", { cause: `the mid rate ${formatDecimal(midRate)} cannot be inverted` });
  if (midRate.coefficient <= 0n) throw unavailable();
  const rate = divideDown({ coefficient: BigInt(10_000 - spreadBps), scale: 4 }, midRate, RATE_DIGITS);
  if (!isPublishableRate(rate)) throw unavailable();
  return rate;
}
