import { listCoinSweeps } from "#db/queries/transfers/suspense-lines.ts";
import { type CoinBlock, type CoinMove, coinMovesIn, sentBetween } from "#domain/coin-moves.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, Unreachable } from "#server/ports.ts";

type Asked = { chain: Pick<EvmChain, "chain">; node: EvmNode };
/** `changes`: of balances in this block, in lower case; null: the node has forgotten them, and what moved inside contracts stays unknown. */
export type CoinReading = { height: number; changes: ReadonlyMap<string, bigint> | null };

/**
 * Reads from one block what moved the coin of these addresses (in lower case), according to one node.
 *
 * @throws Unreachable, EvmRejected
 */
export async function readCoinBlock(
  { db }: Uses<"db">,
  { chain, node }: Asked,
  ours: ReadonlySet<string>,
  { height, changes }: CoinReading,
): Promise<{ hash: string; moves: CoinMove[] }> {
  const content = await node.content(height);
  if (content === null) throw new Unreachable(`${node.name} does not show block ${height}`);
  const sweeps = await listCoinSweeps(
    db,
    chain.chain,
    content.transactions.map(({ hash }) => hash),
  );
  const wanted = [...sentBetween(content, ours), ...sweeps].map(({ hash }) => hash);
  const receipts = new Map<string, EvmReceipt>();
  for (const hash of new Set(wanted)) receipts.set(hash, await receiptIn(node, hash, content.hash));
  const inner: CoinBlock["inner"] = sweeps.flatMap(({ hash, call, recipient, amountBase, ...transfer }) => {
    const receipt = receipts.get(hash);
    const sweep = { ...transfer, call, recipient, amountBase };
    if (!receipt?.succeeded || !call?.to || judgeReceipt(sweep, receipt.logs).type !== "execute") return [];
    return [{ sender: call.to.toLowerCase(), recipient: recipient.toLowerCase(), amountBase }];
  });
  return { hash: content.hash, moves: coinMovesIn({ content, receipts, changes, inner }, ours) };
}

async function receiptIn(node: EvmNode, hash: string, blockHash: string): Promise<EvmReceipt> {
  const receipt = await node.receipt(hash);
  if (receipt === null || receipt.blockHash !== blockHash) throw new Unreachable(`${node.name} shows ${hash} in another block, or in none`);
  return receipt;
}
