import type { EvmReceipt } from "#domain/evm-chain.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";

/** Whether a receipt is final, by the chain's own rule and according to one node. */
export async function isFinal(
  chain: Pick<EvmChain, "useFinalizedTag" | "confirmations">,
  node: EvmNode,
  { blockHeight, blockHash }: EvmReceipt,
): Promise<boolean> {
  const height = await finalHeight(chain, node);
  const canonical = await node.block(blockHeight);
  return height !== null && canonical?.hash === blockHash && blockHeight <= height;
}

/** The height down to which nothing changes any more; null when the node has no such block. */
export async function finalHeight(
  { useFinalizedTag, confirmations }: Pick<EvmChain, "useFinalizedTag" | "confirmations">,
  node: EvmNode,
): Promise<number | null> {
  const top = await node.block(useFinalizedTag ? "finalized" : "latest");
  if (top === null) return null;
  return useFinalizedTag ? top.height : top.height - confirmations + 1;
}
