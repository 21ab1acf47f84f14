const DECIMALS = 6;

/** Amounts have at most 15 digits, so that their shortest text is the amount itself. */
export function inBaseUnits(amount: number): bigint {
  const [whole = "0", fraction = ""] = amount.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: DECIMALS }).split(".");
  return BigInt(whole + fraction.padEnd(DECIMALS, "0"));
}

/** A balance of the test tokens, for people. */
export function tokens(base: bigint, token: string): string {
  const digits = base.toString().padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)} ${token}`;
}
