import { z } from "zod";
import type { DoubleChain } from "./double-chain.ts";
import type { Knobs } from "./knobs.ts";

const height = z.string().transform(Number);
const Question = z.object({
  id: z.unknown(),
  method: z.literal("eth_getLogs"),
  params: z.tuple([
    z.object({
      address: z.array(z.string()),
      fromBlock: height,
      toBlock: height,
      topics: z.tuple([z.array(z.string()), z.string()]),
    }),
  ]),
});

/** What Tron's nodes search at once. */
const MOST_BLOCKS = 5_000;

/** The one method of the node's JSON-RPC that the service asks: events by their senders. */
export function answerEvents(chain: DoubleChain, knobs: Knobs, body: unknown): object {
  const { id, params } = Question.parse(body);
  const [{ address, fromBlock, toBlock, topics }] = params;
  const [kinds, sender] = topics;
  if (toBlock - fromBlock >= MOST_BLOCKS)
    return { jsonrpc: "2.0", id, error: { code: -32602, message: `exceed max block range: ${MOST_BLOCKS}` } };
  const head = Math.max(0, chain.head.height - knobs.lag);
  const shown = chain.blocks.slice(Math.max(fromBlock, knobs.forgetBelow), Math.min(toBlock, head) + 1);
  const result = shown.flatMap(({ height: number, id: hash, transactions }) =>
    transactions
      .filter(({ sent }) => !knobs.hides.has(sent.id))
      .flatMap(({ sent, logs }) =>
        logs
          .filter((log) => address.includes(log.address) && kinds.includes(log.topics[0] ?? "") && log.topics[1] === sender)
          .map((log) => ({ ...log, transactionHash: `0x${sent.id}`, blockHash: `0x${hash}`, blockNumber: `0x${number.toString(16)}` })),
      ),
  );
  return { jsonrpc: "2.0", id, result };
}
