import { gasLimitFor } from "#domain/evm-fees.ts";
import { cancellationOf } from "#domain/evm-intent.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { EvmRejected } from "#server/ports.ts";

/** For a plain transfer, with room for chains where that costs more than 21,000. */
const PLAIN_GAS = 40_000n;

/**
 * The gas for an empty transfer of a wallet to itself, estimated: some chains count their data fee in gas. `least`: what it is signed with
 * where the node does not say, and the least of all.
 *
 * @throws Unreachable
 */
export async function emptyTransferGas({ node }: Pick<Pass, "node">, address: string, least = PLAIN_GAS): Promise<bigint> {
  const simulation = await node.simulate(address, cancellationOf(address)).catch((error: unknown) => {
    if (error instanceof EvmRejected) return null;
    throw error;
  });
  const wanted = simulation?.outcome === "passes" ? gasLimitFor(simulation.gas) : least;
  return wanted > PLAIN_GAS ? wanted : PLAIN_GAS;
}
