import type { EvmChain, EvmNode } from "#server/ports.ts";

/**
 * What a node says of its chain that contradicts the settings: another chain, or fees that are paid in something else. Null when it agrees.
 *
 * @throws Unreachable, EvmRejected
 */
export async function findContradiction(chain: Pick<EvmChain, "chain" | "chainId" | "gas">, node: EvmNode): Promise<string | null> {
  const chainId = await node.chainId();
  if (chainId !== chain.chainId) return `${node.name} is a node of chain ${chainId}, not of ${chain.chainId}`;
  const gas = await node.gasKind();
  return gas === chain.gas ? null : `${node.name} shows that the gas of ${chain.chain} is ${gas}, and its settings say ${chain.gas}`;
}
