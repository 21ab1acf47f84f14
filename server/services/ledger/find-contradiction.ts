import type { EvmChain, EvmNode } from "#server/ports.ts";

/**
 * How a node's chain contradicts the settings: another chain id, or fees in another coin. Null when it agrees.
 *
 * @throws Unreachable, EvmRejected
 */
export async function findContradiction(chain: Pick<EvmChain, "chain" | "chainId" | "gas">, node: EvmNode): Promise<string | null> {
  const chainId = await node.chainId();
  if (chainId !== chain.chainId) return `${node.name} is a node of chain ${chainId}, not of ${chain.chainId}`;
  const gas = await node.gasKind();
  return gas === chain.gas ? null : `${node.name} shows that the gas of ${chain.chain} is ${gas}, and its settings say ${chain.gas}`;
}
