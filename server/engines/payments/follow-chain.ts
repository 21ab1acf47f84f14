import type { Database } from "#db/client.ts";
import { setAdrift } from "#db/queries/transfers/adrift-transfers.ts";
import {
  dropCursorsAbove,
  findCursor,
  insertCursors,
  listCursors,
  lockCursor,
  type ReadBlock,
} from "#db/queries/transfers/chain-cursors.ts";
import { findOwnAttempts, lookAtOnce, markBroadcast } from "#db/queries/transfers/transactions.ts";
import { listMinedAbove, lockTransfer, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { EvmBlock } from "#domain/evm-chain.ts";
import { advanceTransfer, isOpenTransfer, type Transfer } from "#domain/transfer.ts";
import type { EvmChain } from "#server/ports.ts";
import { countMove, type Round } from "./engine.ts";
import { noteInHistory } from "./note-in-history.ts";

const BLOCKS_AT_ONCE = 32;
const CALLS_AT_ONCE = 8;
/** Further behind than this, blocks are skipped: open transactions are then found by their hashes. */
const LEAP = 2_000;
/** How much deeper than the confirmations the blocks are remembered. */
const MEMORY = 64;

/**
 * Reads the chain from the cursor to the head, block by block, and notes which of our attempts are in them. A block that does not
 * follow from the one before sends the cursor back to the last common block, and every transfer above it back to `broadcast`.
 * Several workers may follow one chain: whoever commits first moves the cursor, the other's reading is dropped.
 *
 * @returns the cursor's height, and whether there is more to read at once
 */
export async function followChain(round: Omit<Round, "cursorHeight">): Promise<{ cursorHeight: number; behind: boolean }> {
  const { chain, head, engine } = round;
  const cursor = await findCursor(engine.ctx.db, chain.chain);
  if (cursor === null) return { cursorHeight: await leapTo(round, null), behind: false };
  if (head.height - cursor.height > LEAP) return { cursorHeight: await leapTo(round, cursor), behind: false };
  const blocks = head.height > cursor.height ? await readBlocks(round, cursor) : [];
  const top = blocks.at(-1);
  if (top === undefined)
    return head.hash === cursor.hash ? { cursorHeight: cursor.height, behind: false } : await findWayBack(round, cursor);
  engine.step("blocks_read");
  const moved = await commitBlocks(round, cursor, blocks);
  engine.step("cursor_moved");
  return { cursorHeight: moved ? top.height : cursor.height, behind: top.height < head.height };
}

/** No block follows from the cursor's: the node lags, or the chain was reorganised. */
async function findWayBack(round: Omit<Round, "cursorHeight">, cursor: ReadBlock): Promise<{ cursorHeight: number; behind: boolean }> {
  const reachable = Math.min(cursor.height, round.head.height);
  const common = await findCommonBlock(round, cursor);
  if (common !== null && common.height >= reachable) return { cursorHeight: reachable, behind: false };
  return { cursorHeight: await rewindTo(round, cursor, common), behind: true };
}

/**
 * The highest remembered block that is still on the chain, at most as high as the head. A head below the cursor whose block is the
 * remembered one is a node that lags, and no reorganisation. Null when none of the remembered blocks is left.
 */
async function findCommonBlock({ chain, head, node, engine }: Omit<Round, "cursorHeight">, cursor: ReadBlock): Promise<ReadBlock | null> {
  const remembered = await listCursors(engine.ctx.db, chain.chain, memoryOf(chain));
  const lowest = remembered.at(-1)?.height ?? cursor.height;
  for (const block of remembered) {
    if (block.height > head.height) continue;
    const onChain = await node.block(block.height);
    if (onChain?.hash === block.hash) return block;
  }
  // The node is behind everything that is remembered: it cannot contradict it.
  return head.height < lowest ? cursor : null;
}

function memoryOf({ confirmations }: EvmChain): number {
  return 2 * confirmations + MEMORY;
}

/** Deeper than the confirmations: what was told as executed stays executed, and is brought back to the chain by what tends it. */
async function setExecutedAdrift(tx: Database, chain: string, height: number): Promise<void> {
  const now = await readBusinessNow(tx);
  const reason = `The chain has dropped the blocks above ${height}, deeper than its confirmations: the payment is sent again, the same bytes.`;
  const adrift = await setAdrift(tx, chain, height, { reason, now });
  for (const transfer of adrift) await noteInHistory(tx, transfer, { action: "vanished", reason, txHash: transfer.txHash, now });
  await lookAtOnce(
    tx,
    adrift.map(({ id }) => id),
  );
}

async function rewindTo(round: Omit<Round, "cursorHeight">, cursor: ReadBlock, common: ReadBlock | null): Promise<number> {
  const { chain, engine } = round;
  const height = common?.height ?? -1;
  const lost = await engine.ctx.db.transaction(async (tx) => {
    await lockCursor(tx, chain.chain);
    if (!(await isStill(tx, chain.chain, cursor))) return [];
    // What was read before all that is remembered, nobody can compare.
    const lowest = common?.height ?? ((await listCursors(tx, chain.chain, memoryOf(chain))).at(-1)?.height ?? 0) - 1;
    await setExecutedAdrift(tx, chain.chain, lowest);
    await dropCursorsAbove(tx, chain.chain, height);
    const gone: Transfer[] = [];
    for (const id of await listMinedAbove(tx, chain.chain, height)) {
      const transfer = await lockTransfer(tx, id);
      if (transfer?.state !== "mined") continue;
      const now = await readBusinessNow(tx);
      gone.push(advanceTransfer(transfer, { type: "reorganise" }, now));
      await saveTransfer(tx, advanceTransfer(transfer, { type: "reorganise" }, now), now);
    }
    await lookAtOnce(
      tx,
      gone.map(({ id }) => id),
    );
    return gone;
  });
  engine.ctx.log.warn(
    { chain: chain.chain, from: cursor.height, to: common?.height ?? null, transfers: lost.length },
    "the chain was reorganised",
  );
  for (const transfer of lost) countMove(engine, "mined", transfer);
  return Math.max(height, 0);
}

/** Starts at the head, without the blocks below: at the very first, or after a very long sleep. */
async function leapTo(round: Omit<Round, "cursorHeight">, cursor: ReadBlock | null): Promise<number> {
  const { chain, engine, head } = round;
  if (cursor !== null)
    engine.ctx.log.warn({ chain: chain.chain, from: cursor.height, to: head.height }, "far behind the chain: leaping to its head");
  await commitBlocks(round, cursor, [head]);
  return head.height;
}

/** As many blocks above the cursor as follow from one another; fewer when the chain changes under the reading. */
async function readBlocks({ node, head }: Omit<Round, "cursorHeight">, cursor: ReadBlock): Promise<EvmBlock[]> {
  const upTo = Math.min(head.height, cursor.height + BLOCKS_AT_ONCE);
  const blocks: EvmBlock[] = [];
  let parentHash = cursor.hash;
  for (let from = cursor.height + 1; from <= upTo; from += CALLS_AT_ONCE) {
    const heights = Array.from({ length: Math.min(CALLS_AT_ONCE, upTo - from + 1) }, (_, index) => from + index);
    for (const block of await Promise.all(heights.map((height) => (height === head.height ? head : node.block(height))))) {
      if (block === null || block.parentHash !== parentHash) return blocks;
      blocks.push(block);
      parentHash = block.hash;
    }
  }
  return blocks;
}

/** Moves the cursor and notes every attempt of ours in those blocks, in one transaction. False: another worker was faster. */
async function commitBlocks(
  { chain, engine }: Omit<Round, "cursorHeight">,
  cursor: ReadBlock | null,
  blocks: readonly EvmBlock[],
): Promise<boolean> {
  const top = blocks.at(-1);
  if (top === undefined) return true;
  const mined = await engine.ctx.db.transaction(async (tx) => {
    await lockCursor(tx, chain.chain);
    if (!(await isStill(tx, chain.chain, cursor))) return null;
    await insertCursors(tx, chain.chain, blocks, top.height - memoryOf(chain));
    const found = new Map(blocks.flatMap((block) => block.transactionHashes.map((hash) => [hash, block] as const)));
    return await noteMined(tx, found);
  });
  for (const { from, transfer } of mined ?? []) countMove(engine, from, transfer);
  return mined !== null;
}

async function isStill(tx: Database, chain: string, cursor: ReadBlock | null): Promise<boolean> {
  const current = await findCursor(tx, chain);
  return current?.height === cursor?.height && current?.hash === cursor?.hash;
}

type Mined = { from: Transfer["state"]; transfer: Transfer };

/** Marks the transfers whose attempts are among the given transactions as mined, each in its block. */
export async function noteMined(tx: Database, found: ReadonlyMap<string, Pick<EvmBlock, "height" | "hash">>): Promise<Mined[]> {
  const moved: Mined[] = [];
  const ours = (await findOwnAttempts(tx, [...found.keys()])).filter(({ standing }) => standing);
  for (const { hash, transferId } of ours.sort((left, right) => (left.transferId < right.transferId ? -1 : 1))) {
    const block = found.get(hash);
    const before = await lockTransfer(tx, transferId);
    if (block === undefined || before === null || !isOpenTransfer(before.state) || before.state === "queued") continue;
    if (before.state === "mined" && before.blockHash === block.hash) continue;
    const now = await readBusinessNow(tx);
    const loose = before.state === "mined" ? advanceTransfer(before, { type: "reorganise" }, now) : before;
    const transfer = advanceTransfer(loose, { type: "mine", txHash: hash, blockNumber: block.height, blockHash: block.hash }, now);
    await saveTransfer(tx, transfer, now);
    await markBroadcast(tx, hash, now);
    moved.push({ from: before.state, transfer });
  }
  return moved;
}
