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
