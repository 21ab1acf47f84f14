import { type Decimal, floorToUnits, multiply, powerOfTen } from "./decimal.ts";

type Unit = { decimals: number };

/** The token value of fiat at a rate in tokens per major unit: the most whole base units that do not exceed it. */
export function worth(amountMinor: bigint, fiat: Unit, rate: Decimal, token: Unit): bigint {
  return floorToUnits(multiply({ coefficient: amountMinor, scale: fiat.decimals }, rate), token.decimals);
}

/** The token cost of fiat at a rate in fiat major units per token: the fewest whole base units that cover it. */
export function cost(amountMinor: bigint, fiat: Unit, rate: Decimal, token: Unit): bigint {
  // amount / 10^fiat / (coefficient / 10^scale) × 10^token
  const dividend = amountMinor * powerOfTen(rate.scale + token.decimals);
  const divisor = rate.coefficient * powerOfTen(fiat.decimals);
  return (dividend + divisor - 1n) / divisor;
}
