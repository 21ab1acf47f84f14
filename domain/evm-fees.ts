/** Fees of an EIP-1559 transaction, in wei per unit of gas. */
export type EvmFees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** The chain's present fees. */
export type EvmFeeMarket = { baseFeePerGas: bigint; tip: bigint };

/** The gas of a token transfer, generously: what is reckoned with before one was simulated. */
export const TRANSFER_GAS = 80_000n;

/** The fees of a first attempt, which allow the base fee to double. Null when the base fee is above the cap: then the payment waits. */
export function firstFees(market: EvmFeeMarket, capWei: bigint | null): EvmFees | null {
  if (capWei !== null && market.baseFeePerGas > capWei) return null;
  return capped({ maxFeePerGas: 2n * market.baseFeePerGas + market.tip, maxPriorityFeePerGas: market.tip }, capWei);
}

/**
 * The fees of the next attempt with the same nonce: max(×1.125, 2·base fee + tip), because nodes refuse a replacement unless both fees are
 * a tenth higher. Null when the cap does not allow such a step.
 */
export function bumpedFees(previous: EvmFees, market: EvmFeeMarket, capWei: bigint | null): EvmFees | null {
  const least = { maxFeePerGas: step(previous.maxFeePerGas), maxPriorityFeePerGas: step(previous.maxPriorityFeePerGas) };
  if (capWei !== null && least.maxFeePerGas > capWei) return null;
  const maxPriorityFeePerGas = larger(least.maxPriorityFeePerGas, market.tip);
  const wanted = larger(least.maxFeePerGas, 2n * market.baseFeePerGas + market.tip);
  const fees = capped({ maxFeePerGas: larger(wanted, maxPriorityFeePerGas), maxPriorityFeePerGas }, capWei);
  return fees.maxPriorityFeePerGas < least.maxPriorityFeePerGas ? null : fees;
}

/** ×1.125, rounded up, and at least one more. */
function step(value: bigint): bigint {
  return larger((value * 9n + 7n) / 8n, value + 1n);
}

function capped(fees: EvmFees, capWei: bigint | null): EvmFees {
  if (capWei === null) return fees;
  const maxFeePerGas = fees.maxFeePerGas < capWei ? fees.maxFeePerGas : capWei;
  return { maxFeePerGas, maxPriorityFeePerGas: fees.maxPriorityFeePerGas < maxFeePerGas ? fees.maxPriorityFeePerGas : maxFeePerGas };
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/** What may change between the simulation and the block: a recipient that is emptied first costs 17,100 more, a data fee moves. */
const SLACK = 40_000n;

/**
 * The gas limit of a transaction. Unused gas is free, so the margin costs nothing; too little would waste the fee and the time. Where a
 * chain charges its data fee in gas (Arbitrum), the estimate includes it, and half as much again covers its changes.
 */
export function gasLimitFor(estimate: bigint): bigint {
  const half = (estimate * 3n + 1n) / 2n;
  return half > estimate + SLACK ? half : estimate + SLACK;
}

/**
 * Whether a reverted transaction may have run out of gas. A contract passes on 63/64 of the remaining gas, so behind a proxy or two a
 * little stays unused.
 */
export function mayHaveRunOut(gasUsed: bigint, gasLimit: bigint): boolean {
  return gasUsed * 16n >= gasLimit * 15n;
}
