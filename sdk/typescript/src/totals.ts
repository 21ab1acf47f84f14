type Total = { destination_currency: string; destination_amount: number };

/**
 * The `expected_total` with which to confirm a batch, from its `totals`: a batch has a total for each pair, and two pairs can have the same
 * destination currency. The sums are exact.
 */
export function expectedTotal(totals: readonly Total[]): Record<string, number> {
  const sums = new Map<string, Exact>();
  for (const { destination_currency: currency, destination_amount: amount } of totals)
    sums.set(currency, plus(sums.get(currency) ?? { units: 0n, digits: 0 }, exact(amount)));
  return Object.fromEntries([...sums].map(([currency, { units, digits }]) => [currency, Number(`${units}e-${digits}`)]));
}

/** `units` of the last of so many digits after the point. */
type Exact = { units: bigint; digits: number };

/** The shortest text of a number has the digits that the service wrote. */
function exact(amount: number): Exact {
  const [number = "", exponent = "0"] = String(amount).split("e");
  const [whole = "", fraction = ""] = number.split(".");
  return withDigits({ units: BigInt(whole + fraction), digits: fraction.length - Number(exponent) }, 0);
}

function plus(one: Exact, other: Exact): Exact {
  const digits = Math.max(one.digits, other.digits);
  return { units: withDigits(one, digits).units + withDigits(other, digits).units, digits };
}

function withDigits({ units, digits }: Exact, least: number): Exact {
  return digits >= least ? { units, digits } : { units: units * 10n ** BigInt(least - digits), digits: least };
}
