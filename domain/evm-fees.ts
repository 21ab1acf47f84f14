/** Fees of an EIP-1559 transaction, in wei per unit of gas. */
export type EvmFees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** What the chain asks for now. */
export type EvmFeeMarket = { baseFeePerGas: bigint; tip: bigint };

/** The gas of a token transfer, generously: what is reckoned with before one was simulated. */
export const TRANSFER_GAS = 80_000n;

/** The fees of a first attempt: room for the base fee to double. Null when the base fee is above the cap: then it waits. */
export function firstFees(market: EvmFeeMarket, capWei: bigint | null): EvmFees | null {
  if (capWei !== null && market.baseFeePerGas > capWei) return null;
  return capped({ maxFeePerGas: 2n * market.baseFeePerGas + market.tip, maxPriorityFeePerGas: market.tip }, capWei);
}

/**
 * The fees of the next attempt with the same nonce: max(×1.125, 2·base fee + tip), because nodes refuse a replacement that
 * pays less than a tenth more on both counts. Null when the cap leaves no room for such a step.
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
 * The gas a transaction is signed with. Unused gas is not charged, so that the margin costs nothing; too little of it would waste the
 * fee and the time. Where a chain counts its data fee in gas (Arbitrum), the estimate holds it and half as much again covers its moves.
 */
export function gasLimitFor(estimate: bigint): bigint {
  const half = (estimate * 3n + 1n) / 2n;
  return half > estimate + SLACK ? half : estimate + SLACK;
}

/**
 * Whether a reverted transaction may have ended for want of gas. A contract hands on 63 of 64 parts of what is left, so that behind a
 * proxy or two a little remains unused.
 */
export function mayHaveRunOut(gasUsed: bigint, gasLimit: bigint): boolean {
  return gasUsed * 16n >= gasLimit * 15n;
}
