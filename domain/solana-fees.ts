/** What the cluster takes for a signature, in lamports. */
export const SIGNATURE_LAMPORTS = 5_000n;
const MILLION = 1_000_000n;

/** What a payment may offer for its place in a block. A price is in millionths of a lamport for a compute unit. */
export type PriorityPolicy = {
  /** Of the prices that recent blocks took for the same accounts: which one is offered, from 0 to 100. */
  percentile: number;
  /** The least price. */
  floorPrice: bigint;
  /** The most that one transaction offers, in lamports. A cluster that asks for more makes it wait until it lapses. */
  capLamports: bigint;
};

/** In quiet times 0.00000002 SOL for a payment, and never more than 0.001. */
export const DEFAULT_PRIORITY: PriorityPolicy = { percentile: 75, floorPrice: 1_000n, capLamports: 1_000_000n };

/** A simulation runs on another state than the block will. */
const UNITS_MARGIN = { percent: 20, least: 2_000, most: 400_000 };

/** What the cluster lets a transaction use. */
export const MOST_UNITS = 1_400_000;

/** The compute limit for a transaction of so many payments whose simulation used so many units; it costs for its limit, used or not. */
export function unitLimit(used: number, payments = 1): number {
  const margin = Math.max(UNITS_MARGIN.least, Math.ceil((used * UNITS_MARGIN.percent) / 100));
  return Math.min(used + margin, UNITS_MARGIN.most * payments, MOST_UNITS);
}

/** The price to offer for a unit, by what recent blocks took, between floor and cap. */
export function unitPrice(recent: readonly bigint[], units: number, { percentile, floorPrice, capLamports }: PriorityPolicy): bigint {
  const sorted = recent.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const place = Math.min(sorted.length - 1, Math.floor((sorted.length * percentile) / 100));
  const asked = sorted[Math.max(0, place)] ?? 0n;
  const most = (capLamports * MILLION) / BigInt(units);
  const wanted = asked > floorPrice ? asked : floorPrice;
  return wanted < most ? wanted : most;
}

/** What the cluster takes for a transaction with one signature: rounded up, as its runtime does. */
export function transactionFee(units: number, price: bigint): bigint {
  return SIGNATURE_LAMPORTS + (BigInt(units) * price + MILLION - 1n) / MILLION;
}
