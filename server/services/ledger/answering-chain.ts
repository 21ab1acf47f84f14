import { type EvmChain, type EvmNode, Unreachable } from "#server/ports.ts";

/** A chain with the first of its nodes that answers. */
export type AnsweringChain = { info: EvmChain; node: EvmNode };

/** Null when no node of the chain answers: then nothing is known. */
export async function findAnsweringNode(info: EvmChain): Promise<AnsweringChain | null> {
  for (const node of info.nodes) {
    try {
      if ((await node.chainId()) === info.chainId) return { info, node };
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  return null;
}

/** The height down to which the chain is final, by the rule of its configuration. */
export async function finalHeightOf({ info, node }: AnsweringChain): Promise<number> {
  if (info.useFinalizedTag) return (await node.block("finalized"))?.height ?? 0;
  const head = await node.block("latest");
  return Math.max(0, (head?.height ?? 0) - info.confirmations + 1);
}
