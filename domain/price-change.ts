import { type Decimal, divideDown, floorToUnits, formatDecimal } from "./decimal.ts";
import { baseToDecimal, exactText } from "./money.ts";
import type { Quote } from "./settlement.ts";

/** From before to after. `difference`: signed, in the unit of what changed; the others signed, with two decimals, null: from nothing. */
export type AmountChange = { difference: string; percent: string | null; bps: string | null };

/** What a new price changes. */
export type PriceChange = { rate: AmountChange; gross: AmountChange; fee: AmountChange; net: AmountChange };

export function priceChange(before: Quote, after: Quote, tokenDecimals: number): PriceChange {
  const amount = (base: bigint) => baseToDecimal(base, tokenDecimals);
  return {
    rate: changeOf(before.exchangeRate, after.exchangeRate),
    gross: changeOf(amount(before.grossBase), amount(after.grossBase)),
    fee: changeOf(amount(before.platformFeeBase), amount(after.platformFeeBase)),
    net: changeOf(amount(before.destinationAmountBase), amount(after.destinationAmountBase)),
  };
}

/** How many times one amount is another, rounded down to two significant digits. */
export function timesOf(amount: bigint, of: bigint): string {
  return formatDecimal(divideDown({ coefficient: amount, scale: 0 }, { coefficient: of, scale: 0 }, 2));
}

function changeOf(before: Decimal, after: Decimal): AmountChange {
  const scale = Math.max(before.scale, after.scale);
  const from = floorToUnits(before, scale);
  const difference = floorToUnits(after, scale) - from;
  return {
    difference: signed(difference, formatDecimal({ coefficient: sizeOf(difference), scale })),
    percent: from === 0n ? null : shareOf(difference, from, 100n),
    bps: from === 0n ? null : shareOf(difference, from, 10_000n),
  };
}

/** `part / whole × scale`, rounded towards zero to two decimals. */
function shareOf(part: bigint, whole: bigint, scale: bigint): string {
  const hundredths = (sizeOf(part) * scale * 100n) / whole;
  return signed(part < 0n ? -hundredths : hundredths, exactText(hundredths, 2));
}

/** Zero has no sign. */
function signed(value: bigint, size: string): string {
  return value === 0n ? size : `${value < 0n ? "−" : "+"}${size}`;
}

function sizeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}
