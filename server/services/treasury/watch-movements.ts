import { listWatchedSafes } from "#db/queries/safes/brought-safes.ts";
import type { ReadBlock } from "#db/queries/transfers/chain-cursors.ts";
import { findTreasuryCursor, saveTreasuryCursor } from "#db/queries/transfers/suspense-lines.ts";
import { listBookHeights } from "#db/queries/transfers/treasury-books.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import type { EvmTokenMove } from "#domain/evm-chain.ts";
import type { Holder } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { finalHeight } from "#server/services/transfers/is-final.ts";
import { keepMoves } from "./keep-moves.ts";

/** Blocks in one question, addresses in one, and how far to go back when the block at the cursor is no longer the chain's. */
const MOST_BLOCKS = 1_000;
const MOST_ADDRESSES = 400;
export const GO_BACK = 256;

/**
 * Reads each token transfer out of a chain's wallets (or members' Safes) and into them, up to the newest block. What no payment of ours explains
 * gets a line in suspense. Every node is asked, so one that hides a theft is not enough. Blocks count as read once they are final; newer ones
 * are read again.
 *
 * @returns whether there are more blocks to read
 */
export async function watchMovements(ctx: Uses<"db" | "log">, chain: EvmChain, holder: Holder, mostBlocks = MOST_BLOCKS): Promise<boolean> {
  const ours = holder === "wallet" ? await listWalletAddresses(ctx.db, chain.chain) : await listWatchedSafes(ctx.db, chain.chain);
  const tokens = chain.tokens.flatMap(({ address }) => address ?? []);
  const cursor = await findTreasuryCursor(ctx.db, chain.chain, holder);
  const start = holder === "wallet" ? await firstHeight(ctx, chain) : null;
  const readings: Reading[] = [];
  for (const node of chain.nodes) {
    const reading = await read({ chain, node, ours, tokens, mostBlocks, start }, cursor);
    if (reading !== null) readings.push(reading);
  }
  for (const { node, moves } of readings) await keepMoves(ctx, { chain, node, holder, ours }, moves);
  const [first] = readings.toSorted((left, right) => left.done.height - right.done.height);
  if (first === undefined) return false;
  await saveTreasuryCursor(ctx.db, chain.chain, holder, first.done);
  return first.more;
}

type Asked = {
  chain: EvmChain;
  node: EvmNode;
  ours: readonly string[];
  tokens: readonly string[];
  mostBlocks: number;
  start: number | null;
};
/** `done`: the final block up to which everything was read. */
type Reading = { node: EvmNode; moves: readonly EvmTokenMove[]; done: ReadBlock; more: boolean };

/** Where the books follow the movements already, reading begins there. */
async function firstHeight(ctx: Uses<"db">, { chain }: EvmChain): Promise<number | null> {
  const heights = [...(await listBookHeights(ctx.db, chain)).values()];
  return heights.length === 0 ? null : Math.min(...heights);
}

/** What one node shows after the cursor; null where it does not answer, or cannot say which block is final. */
async function read(asked: Asked, cursor: ReadBlock | null): Promise<Reading | null> {
  const { chain, node, ours, tokens, mostBlocks, start } = asked;
  try {
    const head = await node.block("latest");
    const final = head && (await finalHeight(chain, node));
    if (head === null || final === null) return null;
    // What moved before the books begin is in their opening balance: a reorg leads back no further.
    const below = Math.max(start ?? 0, cursor === null ? (start ?? final) : await heightOf(node, cursor));
    const last = Math.min(head.height, below + mostBlocks);
    const moves = ours.length > 0 && tokens.length > 0 ? await readRange(asked, below + 1, last) : [];
    const done = await node.block(Math.max(0, Math.min(last, final)));
    return done && { node, moves, done, more: last < head.height };
  } catch (error) {
    if (error instanceof Unreachable || error instanceof EvmRejected) return null;
    throw error;
  }
}

/** Both directions of each block. A node that refuses many blocks at once is asked for fewer. */
async function readRange({ node, ours, tokens, mostBlocks }: Asked, first: number, last: number): Promise<EvmTokenMove[]> {
  const moves: EvmTokenMove[] = [];
  for (let at = 0; at < ours.length; at += MOST_ADDRESSES) {
    const addresses = ours.slice(at, at + MOST_ADDRESSES);
    let from = first;
    let blocks = mostBlocks;
    while (from <= last) {
      const to = Math.min(last, from + blocks - 1);
      try {
        for (const side of ["out", "in"] as const) moves.push(...(await node.tokenMoves({ side, addresses, tokens, from, to })));
        from = to + 1;
      } catch (error) {
        if (!(error instanceof EvmRejected || error instanceof Unreachable) || blocks === 1) throw error;
        blocks = Math.ceil(blocks / 8);
      }
    }
  }
  return moves;
}

async function heightOf(node: EvmNode, { height, hash }: ReadBlock): Promise<number> {
  return (await node.block(height))?.hash === hash ? height : Math.max(0, height - GO_BACK);
}
