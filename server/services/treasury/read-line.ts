import { type SuspenseLine, showsLine } from "#domain/suspense-line.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { finalHeight, isFinal } from "#server/services/transfers/is-final.ts";

/** `final`: every node shows it, in that final block. `absent`: none does, and its block is final. `unknown`: ask again later. */
export type LineAnswer = { answer: "final"; blockNumber: number; blockHash: string } | { answer: "absent" } | { answer: "unknown" };

/** What all nodes of the chain say about a line. One that is silent, behind or of another opinion leaves it open. */
export async function askAboutLine(chain: EvmChain, line: SuspenseLine): Promise<LineAnswer> {
  const answers: LineAnswer[] = [];
  for (const node of chain.nodes) {
    const said = await askNode(chain, node, line);
    if (said.answer === "unknown") return said;
    answers.push(said);
  }
  const [first] = answers;
  const isAgreed = answers.every((one) => JSON.stringify(one) === JSON.stringify(first));
  return first !== undefined && isAgreed ? first : { answer: "unknown" };
}

async function askNode(chain: EvmChain, node: EvmNode, line: SuspenseLine): Promise<LineAnswer> {
  try {
    const receipt = await node.receipt(line.hash);
    if (receipt !== null && showsLine(receipt, line)) {
      const { blockHeight: blockNumber, blockHash } = receipt;
      return (await isFinal(chain, node, receipt)) ? { answer: "final", blockNumber, blockHash } : { answer: "unknown" };
    }
    const height = await finalHeight(chain, node);
    return { answer: height !== null && height >= line.blockNumber ? "absent" : "unknown" };
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
    return { answer: "unknown" };
  }
}
