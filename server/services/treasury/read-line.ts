import type { SuspenseLine } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { findLine } from "#server/services/ledger/find-line.ts";
import { finalHeight } from "#server/services/transfers/is-final.ts";

/** `final`: every node shows it, in that final block. `absent`: none does, and its block is final. `unknown`: ask again later. */
export type LineAnswer = { answer: "final"; blockNumber: number; blockHash: string } | { answer: "absent" } | { answer: "unknown" };

/** What all nodes of the chain say about a line. One that is silent, behind or of another opinion leaves it open. */
export async function askAboutLine(ctx: Uses<"db">, chain: EvmChain, line: SuspenseLine): Promise<LineAnswer> {
  const answers: LineAnswer[] = [];
  for (const node of chain.nodes) {
    const said = await askNode(ctx, { chain, node }, line);
    if (said.answer === "unknown") return said;
    answers.push(said);
  }
  const [first] = answers;
  const isAgreed = answers.every((one) => JSON.stringify(one) === JSON.stringify(first));
  return first !== undefined && isAgreed ? first : { answer: "unknown" };
}

type Asked = { chain: EvmChain; node: EvmNode };

async function askNode(ctx: Uses<"db">, { chain, node }: Asked, line: SuspenseLine): Promise<LineAnswer> {
  try {
    const at = await findLine(ctx, { chain, node }, line);
    const height = await finalHeight(chain, node);
    if (at === null) return { answer: height !== null && height >= line.blockNumber ? "absent" : "unknown" };
    const canonical = await node.block(at.blockNumber);
    const isFinal = height !== null && at.blockNumber <= height && canonical?.hash === at.blockHash;
    return isFinal ? { answer: "final", ...at } : { answer: "unknown" };
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
    return { answer: "unknown" };
  }
}
