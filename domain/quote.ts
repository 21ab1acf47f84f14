import { type Decimal, floorToUnits, formatDecimal, multiply, normalize, roundDownToDigits, significantDigits } from "./decimal.ts";
import { displayDecimals, displayUnitBase, fitsWrittenDigits, publishableAmount } from "./money.ts";
import { type Fault, isRefusal, Refusal } from "./refusal.ts";

/** Significant digits of a published rate (contract, part 1 "exchange_rate"). */
export const RATE_DIGITS = 12;
/** Far below any price, and far above where a reader's floating point ends. */
const RATE_MAX_SCALE = 30;
const BASIS_POINTS_SCALE = 4;

/** What a price is made of. The exchange rate is the published one: the spread is in it already. */
export type PriceInput = {
  sourceAmountMinor: bigint;
  sourceExponent: number;
  exchangeRate: Decimal;
  platformFeeBase: bigint;
  tokenDecimals: number;
};

/** The agreed price with all of its inputs: stored with its object, and never changed. */
export type AgreedPrice = {
  /** The published rate; the spread is in it. At most 12 significant digits. */
  exchangeRate: Decimal;
  midRate: Decimal;
  spreadBps: number;
  rateSource: string;
  /** When the mid rate was observed (real time). */
  rateAsOf: Date;
  /** The version of the pair's terms that it was made under. */
  pairTermsId: string;
};

/** Base units of the token. `grossBase = destinationAmountBase + platformFeeBase`, always. */
export type Price = {
  grossBase: bigint;
  platformFeeBase: bigint;
  destinationAmountBase: bigint;
};

/**
 * A partner's rate: the mid rate minus the spread, rounded down to 12 significant digits, so that rounding never favours the partner and
 * the number can be published exactly (contract, part 1 "exchange_rate").
 *
 * @throws Refusal `rate_unavailable` when the mid rate is no price at all: not above zero, or too large or small to be published.
 */
export function quotedRate(midRate: Decimal, spreadBps: number): Decimal {
  const rate = afterSpread(midRate, spreadBps);
  if (isPublishableRate(rate)) return rate;
  throw new Refusal("rate_unavailable", { cause: `the mid rate ${formatDecimal(midRate)} cannot be quoted` });
}

/** The mid rate itself as it may be published: rounded down to 12 significant digits. */
export function publishedMidRate(midRate: Decimal): Decimal {
  return roundDownToDigits(midRate, RATE_DIGITS);
}

/** Whether {@link quotedRate} would answer instead of refusing. */
export function isQuotable(midRate: Decimal, spreadBps: number): boolean {
  return isPublishableRate(afterSpread(midRate, spreadBps));
}

/** Whether `current` differs from `expected` by more than `toleranceBps`, up or down (contract, part 9 "Drift guard"). */
export function rateHasMoved(expected: Decimal, current: Decimal, toleranceBps: number): boolean {
  const scale = Math.max(expected.scale, current.scale);
  const before = floorToUnits(expected, scale);
  const after = floorToUnits(current, scale);
  const distance = after > before ? after - before : before - after;
  return distance * 10_000n > before * BigInt(toleranceBps);
}

function afterSpread(midRate: Decimal, spreadBps: number): Decimal {
  if (!Number.isInteger(spreadBps) || spreadBps < 0 || spreadBps > 9_999) throw new RangeError(`no spread: ${spreadBps} basis points`);
  return roundDownToDigits(multiply(midRate, { coefficient: BigInt(10_000 - spreadBps), scale: BASIS_POINTS_SCALE }), RATE_DIGITS);
}

/** Whether a rate can be published: above zero, at most 12 significant digits, and read exactly by every JSON parser. */
export function isPublishableRate(rate: Decimal): boolean {
  const { coefficient, scale } = normalize(rate);
  return coefficient > 0n && scale <= RATE_MAX_SCALE && significantDigits(rate) <= RATE_DIGITS && fitsWrittenDigits(rate);
}

/**
 * Prices an amount (contract, part 1 "Quote"): gross = amount / 10^exponent × rate, rounded down once to the currency's decimals;
 * destination = gross − platform fee. The fee is a multiple of that unit, so rounding the gross rounds the difference, and the three add up
 * exactly. `at` is the amount's place in the request, and `tooSmall` its name in the error when nothing would be delivered.
 *
 * @throws Refusal `amount_too_small` when nothing would be delivered, `amount_too_large` when an amount cannot be written exactly.
 */
export function priceSource(input: PriceInput, at: Place & { tooSmall?: string } = { pointer: "/source_amount" }): Price {
  const { platformFeeBase, tokenDecimals } = input;
  const unit = displayUnitBase(tokenDecimals);
  if (input.sourceAmountMinor < 0n) throw new RangeError("a source amount is never negative");
  if (!isPublishableRate(input.exchangeRate)) throw new RangeError("a quote is made from a rate that can be published");
  if (platformFeeBase < 0n || platformFeeBase % unit !== 0n) throw new RangeError("the platform fee is a multiple of what can be written");

  const exactGross = multiply({ coefficient: input.sourceAmountMinor, scale: input.sourceExponent }, input.exchangeRate);
  const grossBase = floorToUnits(exactGross, displayDecimals(tokenDecimals)) * unit;
  const destinationAmountBase = grossBase - platformFeeBase;
  const { tooSmall = "The amount does not exceed the platform fee at the current rate.", ...place } = at;
  if (destinationAmountBase <= 0n) throw refuseAmount("amount_too_small", tooSmall, place);
  for (const amount of [destinationAmountBase, platformFeeBase]) refuseUnwritable(amount, tokenDecimals, place);
  return { grossBase, platformFeeBase, destinationAmountBase };
}

type Place = Pick<Fault, "pointer" | "parameter">;

function refuseUnwritable(base: bigint, tokenDecimals: number, at: Place): void {
  try {
    publishableAmount(base, tokenDecimals);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refuseAmount("amount_too_large", error.message, at);
  }
}

function refuseAmount(code: "amount_too_small" | "amount_too_large", message: string, at: Place): Refusal {
  return new Refusal(code, {
    detail: message,
    errors: [{ ...at, code, message }],
  });
}
