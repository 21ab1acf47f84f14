import type { LapsingChain, LapsingNode, LookUp } from "#domain/lapsing-chain.ts";
import type { LapsingReport } from "#domain/lapsing-report.ts";
import { Unreachable } from "#server/ports.ts";

/** The nodes that answer. One of another chain is left out: what it does not know proves nothing. */
export async function listAnswering({ nodes, identity }: Pick<LapsingChain, "nodes" | "identity">): Promise<LapsingNode[]> {
  const identities = await Promise.all(nodes.map((node) => orSilent(node.identity())));
  return nodes.filter((_, index) => identities[index] === identity);
}

/**
 * What each node that answers reports about an attempt. One that does not answer reports nothing: its silence proves nothing. What may end
 * an attempt counts only if the node is still one of this chain after its report: its address may lead elsewhere since the pass began.
 */
export async function askNodes(nodes: readonly LapsingNode[], identity: string, attempt: LookUp): Promise<LapsingReport[]> {
  const answers = await Promise.all(
    nodes.map(async (node) => {
      const report = await orSilent(node.find(attempt));
      const mayEnd = report?.kind === "final" || (report?.kind === "absent" && report.isExpired);
      return mayEnd && (await orSilent(node.identity())) !== identity ? null : report;
    }),
  );
  return answers.filter((answer) => answer !== null);
}

/** A node's answer; null when it does not answer. */
export async function orSilent<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}
