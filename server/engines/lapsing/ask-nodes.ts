import type { LapsingChain, LookUp } from "#domain/lapsing-chain.ts";
import type { LapsingReport } from "#domain/lapsing-report.ts";
import { Unreachable } from "#server/ports.ts";

/**
 * What each node that answers reports about an attempt. A node of another chain, or one that does not answer, reports nothing: its silence
 * proves nothing either.
 */
export async function askNodes(chain: Pick<LapsingChain, "nodes" | "identity">, attempt: LookUp): Promise<LapsingReport[]> {
  const answers = await Promise.all(
    chain.nodes.map(async (node) => {
      try {
        if ((await node.identity()) !== chain.identity) return null;
        return await node.find(attempt);
      } catch (error) {
        if (error instanceof Unreachable) return null;
        throw error;
      }
    }),
  );
  return answers.filter((answer) => answer !== null);
}
