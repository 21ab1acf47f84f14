import type { ReadBlock } from "#db/queries/transfers/chain-cursors.ts";
import { findOwnAttempts } from "#db/queries/transfers/transactions.ts";
import { listProvedPlaces } from "#db/queries/transfers/transfer-proofs.ts";
import { findOutflowCursor, listKeptHashes, saveOutflowCursor } from "#db/queries/transfers/treasury-outflows.ts";
import { listWallets, type Wallet } from "#db/queries/transfers/wallets.ts";
import { type ForeignTransaction, movementsIn } from "#domain/foreign-transaction.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { finalHeight } from "#server/services/transfers/is-final.ts";
import { keepUnexplained } from "./keep-unexplained.ts";

/** Blocks in one question, and how far to go back when the block at the cursor is no longer the chain's. */
const MOST_BLOCKS = 1_000;
const GO_BACK = 256;

/**
 * Reads the token transfers out of a chain's wallets up to the newest block, and halts a wallet from which somebody else's transaction took
 * something. What a wallet's own key signs, the payments engine notices by its nonce. Every node is asked, so one that hides a theft is not
 * enough. Blocks count as read once they are final; newer ones are read again.
 *
 * @returns whether there are more blocks to read
 */
export async function watchOutflows(ctx: Uses<"db" | "log">, chain: EvmChain, mostBlocks = MOST_BLOCKS): Promise<boolean> {
  const wallets = (await listWallets(ctx.db)).filter((wallet) => wallet.chain === chain.chain);
  const tokens = chain.tokens.flatMap(({ address }) => address ?? []);
  const cursor = await findOutflowCursor(ctx.db, chain.chain);
  const readings: Reading[] = [];
  for (const node of chain.nodes) {
    const reading = await read({ chain, node, wallets: wallets.map(({ address }) => address), tokens, mostBlocks }, cursor);
    if (reading !== null) readings.push(reading);
  }
  for (const { node, hashes } of readings) await judge(ctx, { chain, node, wallets }, hashes);
  const [first] = readings.toSorted((left, right) => left.done.height - right.done.height);
  if (first === undefined) return false;
  await saveOutflowCursor(ctx.db, chain.chain, first.done);
  return first.more;
}

type Asked = { chain: EvmChain; node: EvmNode; wallets: readonly string[]; tokens: readonly string[]; mostBlocks: number };
/** `done`: the final block up to which everything was read. */
type Reading = { node: EvmNode; hashes: readonly string[]; done: ReadBlock; more: boolean };

/** What one node shows after the cursor; null where it does not answer, or cannot say which block is final. */
async function read({ chain, node, wallets, tokens, mostBlocks }: Asked, cursor: ReadBlock | null): Promise<Reading | null> {
  try {
    const head = await node.block("latest");
    const final = head && (await finalHeight(chain, node));
    if (head === null || final === null) return null;
    const below = cursor === null ? Math.max(0, final) : await heightOf(node, cursor);
    const hashes: string[] = [];
    let from = below + 1;
    let blocks = mostBlocks;
    const last = Math.min(head.height, below + mostBlocks);
    while (from <= last && wallets.length > 0 && tokens.length > 0) {
      const to = Math.min(last, from + blocks - 1);
      try {
        hashes.push(...(await node.outgoing({ senders: wallets, tokens, from, to })));
        from = to + 1;
      } catch (error) {
        if (!(error instanceof EvmRejected || error instanceof Unreachable) || blocks === 1) throw error;
        blocks = Math.ceil(blocks / 8);
      }
    }
    const done = await node.block(Math.max(0, Math.min(last, final)));
    return done && { node, hashes: [...new Set(hashes)], done, more: last < head.height };
  } catch (error) {
    if (error instanceof Unreachable || error instanceof EvmRejected) return null;
    throw error;
  }
}

async function heightOf(node: EvmNode, { height, hash }: ReadBlock): Promise<number> {
  return (await node.block(height))?.hash === hash ? height : Math.max(0, height - GO_BACK);
}

type Watched = { chain: EvmChain; node: EvmNode; wallets: readonly Wallet[] };

/** Halts the wallets of the transactions that no row explains. One that is kept already has halted its wallet before. */
async function judge(ctx: Uses<"db" | "log">, watched: Watched, hashes: readonly string[]): Promise<void> {
  const { chain } = watched.chain;
  if (hashes.length === 0) return;
  const own = new Set((await findOwnAttempts(ctx.db, hashes)).map(({ hash }) => hash));
  const proved = await listProvedPlaces(ctx.db, chain, hashes);
  const kept = await listKeptHashes(ctx.db, chain, hashes);
  for (const hash of hashes.filter((one) => !own.has(one) && !proved.has(one) && !kept.has(one))) await halt(ctx, watched, hash);
}

async function halt(ctx: Uses<"db" | "log">, { chain, node, wallets }: Watched, hash: string): Promise<void> {
  const found = await findTransaction(node, hash);
  if (found === null) return;
  const { transaction, sender } = found;
  const followed = wallets.some(({ address, state }) => isSame(address, sender) && (state === "active" || state === "draining"));
  if (followed) return;
  const detail = `${hash} by ${sender} took tokens out of this wallet, and no payment of ours explains it. Read the runbook of halts first.`;
  const lost = movementsIn(transaction, sender);
  const robbed = wallets.filter(({ address }) => lost.some((movement) => movement.token !== null && isSame(movement.sender, address)));
  await ctx.db.transaction(async (tx) => {
    const outOf = robbed.map(({ address }) => address);
    await keepUnexplained(tx, { chain: chain.chain, wallet: sender, outOf }, [transaction]);
    for (const { id } of robbed) {
      const evidence = { transactions: [{ hash, height: transaction.height, sender }] };
      await haltScope(tx, { scope: { kind: "wallet", key: id }, cause: "unexplained_outflow", detail, evidence });
    }
  });
  const addresses = robbed.map(({ address }) => address);
  ctx.log.error({ chain: chain.chain, wallets: addresses, hash }, "tokens left a treasury wallet, and no payment of ours explains it");
}

/** Null when the node does not show it any more: a reorg took it away, and the next pass reads again. */
async function findTransaction(node: EvmNode, hash: string): Promise<{ transaction: ForeignTransaction; sender: string } | null> {
  const receipt = await node.receipt(hash);
  const sent = receipt && (await node.sentIn(receipt.blockHeight, receipt.sender))?.find((one) => one.hash === hash);
  if (!receipt || !sent) return null;
  const { to, valueBase, data, nonce } = sent;
  const { blockHeight: height, succeeded, logs } = receipt;
  return { transaction: { nonce, hash, height, succeeded, intent: { to, valueBase, data }, logs }, sender: receipt.sender };
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
