import { type CoinMove, movesOf } from "#domain/coin-moves.ts";
import { isInside, type SuspenseLine, showsLine } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { readCoinBlock } from "./read-coin-block.ts";

type Asked = { chain: Pick<EvmChain, "chain">; node: EvmNode };
type Place = { blockNumber: number; blockHash: string };

/**
 * The block in which a node shows a line now; null where it does not show it.
 *
 * @throws Unreachable, EvmRejected
 */
export async function findLine(ctx: Uses<"db">, { chain, node }: Asked, line: SuspenseLine): Promise<Place | null> {
  if (isInside(line)) return await findInside(ctx, { chain, node }, line);
  const receipt = await node.receipt(line.hash);
  if (receipt === null) return null;
  const { blockHeight: blockNumber, blockHash } = receipt;
  if (line.place >= 0) return showsLine(receipt, line) ? { blockNumber, blockHash } : null;
  const sent = (await node.content(blockNumber))?.transactions.find(({ hash }) => hash === line.hash);
  const moves = sent === undefined ? [] : movesOf(sent, receipt);
  return moves.some((move) => isShown(line, move)) ? { blockNumber, blockHash } : null;
}

async function findInside(ctx: Uses<"db">, asked: Asked, line: SuspenseLine): Promise<Place | null> {
  const { blockNumber, blockHash } = line;
  if ((await asked.node.block(blockNumber))?.hash !== blockHash) return null;
  const address = line.direction === "in" ? line.recipient : line.sender;
  const [before = 0n] = await asked.node.coinBalances([address], blockNumber - 1);
  const [after = 0n] = await asked.node.coinBalances([address], blockNumber);
  const changes = new Map([[address, after - before]]);
  const { hash, moves } = await readCoinBlock(ctx, asked, new Set([address]), { height: blockNumber, changes });
  return hash === blockHash && moves.some((move) => isShown(line, move)) ? { blockNumber, blockHash } : null;
}

function isShown({ place, sender, recipient, amountBase }: SuspenseLine, move: CoinMove): boolean {
  return move.place === place && move.sender === sender && move.recipient === recipient && move.amountBase === amountBase;
}
