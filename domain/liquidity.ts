/** What the treasury can still promise in one currency of a chain, in base units; null: nobody has looked yet. */
export type Funds = { freeBase: bigint; largestBase: bigint } | null;

/**
 * Whether a payment of that size could be promised just now. A payment comes out of one wallet, and what is free is free only once.
 * Before a worker has first looked nothing is known, and nothing is refused: a confirmed payment waits for its funds in any case.
 */
export function coversPayment(funds: Funds, amountBase: bigint): boolean {
  return funds === null || (funds.freeBase >= amountBase && funds.largestBase >= amountBase);
}
