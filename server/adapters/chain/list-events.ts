import { z } from "zod";
import { Unreachable } from "#server/ports.ts";

/** A token's event that names a wallet as the sender, with its place. `id`: its transaction's, as JSON-RPC writes it. */
export type EventLog = {
  id: string;
  height: number;
  at: Date;
  log: { address: string; topics: readonly string[]; data: string };
};

const height = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number);
export const Logs = z.array(
  z.object({
    transactionHash: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/i)
      .toLowerCase(),
    blockNumber: height,
    address: z.string(),
    topics: z.array(z.string().toLowerCase()),
    data: z.string(),
  }),
);

type Block = { height: number; at: Date };
/** What a node must answer: `eth_getLogs`, and the times of its blocks. `blockAt` null: it does not have that block. */
export type EventHistory = {
  name: string;
  head(): Promise<Block>;
  blockAt(height: number): Promise<Block | null>;
  logs(filter: object): Promise<z.infer<typeof Logs>>;
};

/** `tokens`, `wallet`: as in events, `0x…`. */
type Query = { tokens: readonly string[]; wallet: string; topics: readonly string[]; since: Date };

/** How many blocks nodes search at once; Tron's refuse more. */
const BLOCKS_AT_ONCE = 5_000;

/**
 * The events of these tokens by which a wallet sent something since a time, the oldest first.
 *
 * @throws Unreachable where the node does not have all blocks since then
 */
export async function listEvents(history: EventHistory, { tokens, wallet, topics, since }: Query): Promise<EventLog[]> {
  const head = await history.head();
  const address = tokens.map((token) => token.toLowerCase());
  const sender = `0x${wallet.slice(2).toLowerCase().padStart(64, "0")}`;
  const found: EventLog[] = [];
  for (let from = await firstSince(history, head, since); from <= head.height; from += BLOCKS_AT_ONCE) {
    const [fromBlock, toBlock] = [hexOf(from), hexOf(Math.min(head.height, from + BLOCKS_AT_ONCE - 1))];
    const logs = await history.logs({ address, fromBlock, toBlock, topics: [topics, sender] });
    for (const { transactionHash: id, blockNumber, ...log } of logs) {
      const block = await history.blockAt(blockNumber);
      if (block === null) throw new Unreachable(`${history.name} has no block ${blockNumber}, and an event in it`);
      found.push({ id, height: blockNumber, at: block.at, log });
    }
  }
  return found;
}

/** The first block of that time or later, found by halves. */
async function firstSince(history: EventHistory, head: Block, since: Date): Promise<number> {
  let [low, high] = [0, head.height];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await history.blockAt(middle);
    // What it has forgotten is older than what it has.
    if (block !== null && block.at >= since) high = middle;
    else low = middle + 1;
  }
  const before = low === 0 ? null : await history.blockAt(low - 1);
  if (low > 0 && before === null) throw new Unreachable(`${history.name} has no block from before ${since.toISOString()}`);
  return low;
}

const hexOf = (value: number) => `0x${value.toString(16)}`;
