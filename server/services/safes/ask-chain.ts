import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";

/**
 * The answer of the first node, in the configured order, that has one. Call it outside of transactions.
 *
 * @throws Unreachable when none answers
 */
export async function askChain<Answer>(chain: EvmChain, ask: (node: EvmNode) => Promise<Answer>): Promise<Answer> {
  let last: unknown = null;
  for (const node of chain.nodes) {
    try {
      return await ask(node);
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
      last = error;
    }
  }
  throw new Unreachable(`no node of ${chain.chain} answers`, { cause: last });
}
