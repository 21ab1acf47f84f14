import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import {
  dropCursorsAbove,
  findCursor,
  insertCursors,
  listCursors,
  lockCursor,
  type ReadBlock,
} from "#db/queries/transfers/chain-cursors.ts";
import { listMinedAbove } from "#db/queries/transfers/in-flight.ts";
import { setNoncesOrphaned } from "#db/queries/transfers/orphaned-nonces.ts";
import { listExecutedAbove, setOrphaned } from "#db/queries/transfers/orphaned-transfers.ts";
import { findOwnAttempts, lookAtOnce, markBroadcast } from "#db/queries/transfers/transactions.ts";
import { lockTransfers, saveTransfers } from "#db/queries/transfers/transfers.ts";
import type { EvmBlock } from "#domain/evm-chain.ts";
import { advanceTransfer, isOpenTransfer, type Transfer } from "#domain/transfer.ts";
import { ChainMisconfigured, countMove, type Pass } from "#server/engines/payments/engine.ts";
import type { EvmChain } from "#server/ports.ts";
import { recordInHistory } from "./record-in-history.ts";

/** How far the reading of blocks may be behind the head for balances to be believed, and for payments to be signed. */
export const CURRENT = 8;
const BLOCKS_AT_ONCE = 32;
/** Further behind than this, blocks are skipped: open transactions are then found by their hashes. */
const LEAP = 2_000;
/** How much deeper than the confirmations the blocks are remembered. */
const MEMORY = 64;

/**
 * Reads the chain from the cursor to the head, block by block, and records which of our attempts are in them. A block that does not follow
 * from the one before sends the cursor back to the last common block, and every transfer above it back to `broadcast`. Several workers may
 * follow one chain: the first to commit moves the cursor, and the other's reading is dropped.
 *
 * @returns the cursor's height, and whether there is more to read at once
 * @throws ChainMisconfigured if the node has no block after the cursor's, and its head is far above. The next pass asks another node.
 */
export async function followChain(pass: Omit<Pass, "cursorHeight">): Promise<{ cursorHeight: number; behind: boolean }> {
  const { chain, head, engine } = pass;
  const cursor = await findCursor(engine.ctx.db, chain.chain);
  if (cursor === null) return { cursorHeight: await leapTo(pass, null), behind: false };
  if (head.height - cursor.height > LEAP) return { cursorHeight: await leapTo(pass, cursor), behind: false };
  const blocks = head.height > cursor.height ? await readBlocks(pass, cursor) : [];
  const top = blocks.at(-1);
  if (top === undefined)
    return head.hash === cursor.hash ? { cursorHeight: cursor.height, behind: false } : await findWayBack(pass, cursor);
  engine.step("blocks_read");
  const moved = await commitBlocks(pass, cursor, blocks);
  engine.step("cursor_moved");
  // Another worker was first. After a long reading this one is too far behind to sign: it goes on from the cursor as it is by now.
  const isOvertaken = !moved && blocks.length > 1;
  return { cursorHeight: moved ? top.height : cursor.height, behind: isOvertaken || top.height < head.height };
}

/** No block follows from the cursor's: the node lags, or the chain was reorganised. */
async function findWayBack(pass: Omit<Pass, "cursorHeight">, cursor: ReadBlock): Promise<{ cursorHeight: number; behind: boolean }> {
  const reachable = Math.min(cursor.height, pass.head.height);
  const common = await findCommonBlock(pass, cursor);
  const isLagging = common !== null && common.height >= reachable;
  if (isLagging && pass.head.height - reachable > CURRENT) {
    pass.engine.memory.lacking.set(pass.node, reachable + 1);
    throw new ChainMisconfigured(`A node of ${pass.chain.name} lacks block ${reachable + 1}, but has newer ones: payments wait.`);
  }
  if (isLagging) return { cursorHeight: reachable, behind: false };
  return { cursorHeight: await rewindTo(pass, cursor, common), behind: true };
}

/**
 * The highest recorded block that is still on the chain, at most as high as the head. A head below the cursor with the recorded block means
 * a lagging node, not a reorg. Null when none of the recorded blocks is left.
 */
async function findCommonBlock({ chain, head, node, engine }: Omit<Pass, "cursorHeight">, cursor: ReadBlock): Promise<ReadBlock | null> {
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

/**
 * Deeper than the confirmations: executed transfers stay executed, and another step brings them back to the chain. Superseded ones stay
 * superseded: an empty transfer must spend their nonces.
 */
async function setExecutedOrphaned(tx: Database, chain: string, height: number): Promise<void> {
  const now = await readBusinessNow(tx);
  const reason = `The chain has dropped the blocks above ${height}, deeper than its confirmations: the payment is sent again, the same bytes.`;
  await setNoncesOrphaned(tx, chain, height, now);
  const orphaned = await setOrphaned(tx, chain, height, { reason, now });
  for (const transfer of orphaned) await recordInHistory(tx, transfer, { action: "vanished", reason, txHash: transfer.txHash, now });
  await lookAtOnce(
    tx,
    orphaned.map(({ id }) => id),
  );
}

async function rewindTo(pass: Omit<Pass, "cursorHeight">, cursor: ReadBlock, common: ReadBlock | null): Promise<number> {
  const { chain, engine } = pass;
  const height = common?.height ?? -1;
  const lost = await engine.ctx.db.transaction(async (tx) => {
    await lockCursor(tx, chain.chain);
    if (!(await isStill(tx, chain.chain, cursor))) return [];
    // Blocks below all recorded ones cannot be compared: as many of them again are looked at, too.
    const recorded = (await listCursors(tx, chain.chain, memoryOf(chain))).at(-1)?.height ?? 0;
    const lowest = common?.height ?? recorded - 1 - memoryOf(chain);
    await dropCursorsAbove(tx, chain.chain, height);
    const theirs = [...(await listMinedAbove(tx, chain.chain, height)), ...(await listExecutedAbove(tx, chain.chain, lowest))];
    const mined = (await lockTransfers(tx, theirs)).filter(({ state }) => state === "mined");
    // Only now: the lock waited for a concurrent end of one of them.
    await setExecutedOrphaned(tx, chain.chain, lowest);
    const now = await readBusinessNow(tx);
    const gone = mined.map((transfer) => advanceTransfer(transfer, { type: "reorganise" }, now));
    await saveTransfers(tx, gone, now);
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
async function leapTo(pass: Omit<Pass, "cursorHeight">, cursor: ReadBlock | null): Promise<number> {
  const { chain, engine, head } = pass;
  if (cursor !== null)
    engine.ctx.log.warn({ chain: chain.chain, from: cursor.height, to: head.height }, "far behind the chain: skipping to its head");
  await commitBlocks(pass, cursor, [head]);
  return head.height;
}

/** As many blocks above the cursor as follow from one another; fewer when the chain changes under the reading. */
async function readBlocks({ node, head }: Omit<Pass, "cursorHeight">, cursor: ReadBlock): Promise<EvmBlock[]> {
  const upTo = Math.min(head.height, cursor.height + BLOCKS_AT_ONCE);
  const heights = Array.from({ length: upTo - cursor.height }, (_, index) => cursor.height + 1 + index);
  const answers = await Promise.all(heights.map((height) => (height === head.height ? head : node.block(height))));
  const blocks: EvmBlock[] = [];
  for (const block of answers) {
    if (block === null || block.parentHash !== (blocks.at(-1) ?? cursor).hash) break;
    blocks.push(block);
  }
  return blocks;
}

/** Moves the cursor and records every attempt of ours in those blocks, in one transaction. False: another worker was faster. */
async function commitBlocks(
  { chain, engine }: Omit<Pass, "cursorHeight">,
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
    return await recordMined(tx, found);
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
export async function recordMined(tx: Database, found: ReadonlyMap<string, Pick<EvmBlock, "height" | "hash">>): Promise<Mined[]> {
  const ours = (await findOwnAttempts(tx, [...found.keys()])).filter(({ standing }) => standing);
  if (ours.length === 0) return [];
  const ids = ours.map(({ transferId }) => transferId);
  const locked = new Map((await lockTransfers(tx, ids)).map((transfer) => [transfer.id, transfer]));
  const now = await readBusinessNow(tx);
  const moved = ours.flatMap(({ hash, transferId }): Mined[] => {
    const [block, before] = [found.get(hash), locked.get(transferId)];
    if (block === undefined || before === undefined || !isOpenTransfer(before.state) || before.state === "queued") return [];
    if (before.state === "mined" && before.blockHash === block.hash) return [];
    const loose = before.state === "mined" ? advanceTransfer(before, { type: "reorganise" }, now) : before;
    const mine = { type: "mine", txHash: hash, blockNumber: block.height, blockHash: block.hash } as const;
    return [{ from: before.state, transfer: advanceTransfer(loose, mine, now) }];
  });
  const after = moved.map(({ transfer }) => transfer);
  await saveTransfers(tx, after, now);
  await markBroadcast(
    tx,
    after.flatMap(({ txHash }) => txHash ?? []),
    now,
  );
  return moved;
}
