/** What the chain charges at present, in sun (a millionth of a TRX), read from its parameters. */
export type TronPrices = { energySun: bigint; bandwidthSun: bigint; memoSun: bigint; largestFeeLimitSun: bigint };

/** What a wallet has for fees: TRX, energy from a stake, and bandwidth that is free or from a stake. */
export type TronResources = { balanceSun: bigint; energy: bigint; freeBandwidth: bigint; stakedBandwidth: bigint };

/** The energy of a transfer to somebody who has none of the token, generously: what is reckoned with where a trial cannot say. */
export const TRANSFER_ENERGY = 131_000n;
/** What may change between trial and block: a recipient that is emptied first costs 66,000 more on the main network. */
const SLACK = 70_000n;
/** A block keeps room for a transaction's result, and its bandwidth includes it. The signature and its frame are 67 bytes. */
const RESULT_BYTES = 64n;
const SIGNATURE_BYTES = 67n;

/**
 * The energy that a transfer may use, from the estimate. What is not used is not charged. Too little would burn all of the limit, and the
 * payment would fail. A quarter more covers a step of the dynamic energy model, which is a fifth at most.
 */
export function energyLimitFor(estimate: bigint): bigint {
  const quarterMore = (estimate * 5n + 3n) / 4n;
  return quarterMore > estimate + SLACK ? quarterMore : estimate + SLACK;
}

/** The fee limit in the signed bytes, which bounds the energy; null: the chain allows no such limit. */
export function feeLimitFor(estimate: bigint, { energySun, largestFeeLimitSun }: TronPrices): bigint | null {
  const limit = energyLimitFor(estimate) * energySun;
  return limit > largestFeeLimitSun ? null : limit;
}

/** The bandwidth of a transaction whose bytes to sign have this length. */
export function bandwidthFor(rawBytes: number): bigint {
  return BigInt(rawBytes) + frameBytes(rawBytes) + SIGNATURE_BYTES + RESULT_BYTES;
}

function frameBytes(rawBytes: number): bigint {
  return rawBytes < 128 ? 2n : 3n;
}

/** What is charged besides energy: all of the bandwidth, where none is left, and the memo. */
export function flatFee(rawBytes: number, hasMemo: boolean, { bandwidthSun, memoSun }: TronPrices): bigint {
  return bandwidthFor(rawBytes) * bandwidthSun + (hasMemo ? memoSun : 0n);
}

/**
 * How much TRX is missing before this payment may be signed; 0: nothing. Energy from a stake counts first, and TRX buy the rest. Bandwidth is
 * charged as a whole or not at all.
 */
export function missingSun(
  resources: TronResources,
  { energy, rawBytes, hasMemo }: { energy: bigint; rawBytes: number; hasMemo: boolean },
  prices: TronPrices,
): bigint {
  const needed = bandwidthFor(rawBytes);
  const hasBandwidth = resources.freeBandwidth >= needed || resources.stakedBandwidth >= needed;
  const flat = flatFee(rawBytes, hasMemo, hasBandwidth ? { ...prices, bandwidthSun: 0n } : prices);
  const bought = energy > resources.energy ? (energy - resources.energy) * prices.energySun : 0n;
  const missing = flat + bought - resources.balanceSun;
  return missing > 0n ? missing : 0n;
}
