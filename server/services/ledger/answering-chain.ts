import type { EvmBlock } from "#domain/evm-chain.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";

/** A chain with the node that speaks for it. */
export type AnsweringChain = { info: EvmChain; node: EvmNode };

/** A node whose newest block is older than the best one's by more than this does not speak for the chain. */
const STALE_MS = 30_000;

/** Of a chain's nodes that answer, in the configured order, the first that has not stayed behind; undefined where none answers. */
export function findSpeaker<Answer extends { head: EvmBlock }>(answers: readonly Answer[]): Answer | undefined {
  const newest = Math.max(...answers.map(({ head }) => head.at.getTime()));
  return answers.find(({ head }) => head.at.getTime() >= newest - STALE_MS);
}

/**
 * The node that speaks for a chain, by the rule by which its payments are made: one that has stayed behind knows neither what came in since nor
 * what went out. Null when no node of the chain answers: then nothing is known.
 */
export async function findAnsweringNode(info: EvmChain): Promise<AnsweringChain | null> {
  const answers = await Promise.all(info.nodes.map((node) => askHead(info, node)));
  const speaker = findSpeaker(answers.filter((answer) => answer !== null));
  return speaker === undefined ? null : { info, node: speaker.node };
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
