import type { EvmBlock } from "#domain/evm-chain.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";

/** A chain with the node whose answers count. */
export type AnsweringChain = { info: EvmChain; node: EvmNode };

/** A node whose newest block is this much older than the best one's counts as lagging. */
const STALE_MS = 30_000;

/** The first of a chain's nodes, in the configured order, that answers and does not lag; undefined where none answers. */
export function findCurrentNode<Answer extends { head: EvmBlock }>(answers: readonly Answer[]): Answer | undefined {
  const newest = Math.max(...answers.map(({ head }) => head.at.getTime()));
  return answers.find(({ head }) => head.at.getTime() >= newest - STALE_MS);
}

/**
 * The node whose answers count for a chain, by the same rule as for payments: a lagging node knows neither recent deposits nor recent
 * payments. Null when no node answers: then nothing is known.
 */
export async function findAnsweringNode(info: EvmChain): Promise<AnsweringChain | null> {
  const answers = await Promise.all(info.nodes.map((node) => askHead(info, node)));
  const current = findCurrentNode(answers.filter((answer) => answer !== null));
  return current === undefined ? null : { info, node: current.node };
}

async function askHead({ chainId }: EvmChain, node: EvmNode): Promise<{ node: EvmNode; head: EvmBlock } | null> {
  try {
    const head = (await node.chainId()) === chainId ? await node.block("latest") : null;
    return head && { node, head };
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
    return null;
  }
}

/** The height down to which the chain is final, by the rule of its configuration. */
export async function finalHeightOf({ info, node }: AnsweringChain): Promise<number> {
  if (info.useFinalizedTag) return (await node.block("finalized"))?.height ?? 0;
  const head = await node.block("latest");
  return Math.max(0, (head?.height ?? 0) - info.confirmations + 1);
}
