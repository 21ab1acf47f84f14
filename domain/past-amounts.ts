/** Amounts of earlier settlements, in the minor units of one currency, newest first; at most {@link MOST_PAST}. */
export type PastAmounts = readonly bigint[];

export const MOST_PAST = 30;

/** The past of a settlement's merchant and of its wallet, as of its creation and within one partner. */
export type Past = {
  /** Amounts in the settlement's source currency. */
  merchant: PastAmounts;
  wallet: PastAmounts;
  /** Earlier settlements to the same wallet, and how many of them were executed. */
  walletUses: number;
  walletExecuted: number;
  /** Other wallets that the merchant's money went to before. */
  earlierWallets: number;
};

/** A dot on a strip that begins at zero: per mille of its length, and the row above the axis (0 is the lowest) where it covers no other. */
export type Dot = { at: number; row: number };

/** The distance, in per mille, at which two dots of a row do not touch. */
const APART = 22;

/** Where the amounts are on a strip that ends at `most`. Dots that would cover each other are stacked. */
export function dotsOf(amounts: PastAmounts, most: bigint): Dot[] {
  const lastOf: number[] = [];
  return amounts
    .map((amount) => perMille(amount, most))
    .sort((left, right) => left - right)
    .map((at) => {
      const free = lastOf.findIndex((last) => at - last >= APART);
      const row = free < 0 ? lastOf.length : free;
      lastOf[row] = at;
      return { at, row };
    });
}

/** Per mille of `most`, rounded down. */
export function perMille(amount: bigint, most: bigint): number {
  return most === 0n ? 0 : Number((amount * 1_000n) / most);
}
