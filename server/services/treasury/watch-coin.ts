import { listWatchedSafes } from "#db/queries/safes/brought-safes.ts";
import type { ReadBlock } from "#db/queries/transfers/chain-cursors.ts";
import { findTreasuryCursor, saveTreasuryCursor } from "#db/queries/transfers/suspense-lines.ts";
import { listBookHeights } from "#db/queries/transfers/treasury-books.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { type Holder, isInside } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { type CoinReading, readCoinBlock } from "#server/services/ledger/read-coin-block.ts";
import { finalHeight } from "#server/services/transfers/is-final.ts";
import { keepCoinMoves, type PlacedMove } from "./keep-coin-moves.ts";
import { GO_BACK } from "./watch-movements.ts";

/** Blocks that one pass reads in full, and addresses in one question. */
const MOST_READ = 64;
const MOST_ADDRESSES = 400;
/** Every node still knows the balances of so many blocks: one that does not answer is asked again. */
const REMEMBERED = 100;

/**
 * Finds each move of the chain's coin out of wallets (or Safes) and into them. The coin has no events: the balances show in which blocks
 * something changed, and only those are read in full. What no transaction of ours explains gets a line in suspense. Every node is asked. Blocks
 * count as read while the newest of them is on the chain.
 *
 * @returns whether there are more blocks to read
 */
export async function watchCoin(ctx: Uses<"db" | "log">, chain: EvmChain, holder: Holder, mostRead = MOST_READ): Promise<boolean> {
  // Elsewhere a token shows the coin, or there is none.
  if (chain.gas !== "coin") return false;
  const name = `${holder}_coin` as const;
  const ours = holder === "wallet" ? await listWalletAddresses(ctx.db, chain.chain) : await listWatchedSafes(ctx.db, chain.chain);
  const cursor = await findTreasuryCursor(ctx.db, chain.chain, name);
  const start = holder === "wallet" ? ((await listBookHeights(ctx.db, chain.chain)).get(chain.native.currency) ?? null) : null;
  // Their opening balance counts all that came before.
  if (holder === "wallet" && start === null) return false;
  const asked = { chain, start, mostRead, ours: [...new Set(ours.map((address) => address.toLowerCase()))] };
  const readings: Reading[] = [];
  for (const node of chain.nodes) {
    const reading = await read(ctx, { ...asked, node }, cursor);
    if (reading !== null) readings.push(reading);
  }
  for (const { node, moves } of readings) await keepCoinMoves(ctx, { chain, node, holder, ours: asked.ours }, moves);
  const [first] = readings.toSorted((left, right) => left.done.height - right.done.height);
  if (first === undefined) return false;
  await saveTreasuryCursor(ctx.db, chain.chain, name, first.done);
  return first.more;
}

/** `ours`: in lower case. `start`: where the books begin to follow the coin. */
type Asked = { chain: EvmChain; node: EvmNode; ours: readonly string[]; start: number | null; mostRead: number };
type ShownBlock = Awaited<ReturnType<typeof readCoinBlock>>;
type Reading = { node: EvmNode; moves: readonly PlacedMove[]; done: ReadBlock; more: boolean };

/** What one node shows after the cursor; null where it does not answer, or its chain changes meanwhile. */
async function read(ctx: Uses<"db">, asked: Asked, cursor: ReadBlock | null): Promise<Reading | null> {
  const { chain, node, ours, mostRead } = asked;
  try {
    const head = await node.block("latest");
    const below = head && (await startOf(asked, cursor));
    if (head === null || below === null) return null;
    const span = { from: Math.min(below, head.height), to: head.height };
    const found = ours.length === 0 ? { changes: [], last: head.height } : await findChanges(asked, span);
    const moves: PlacedMove[] = [];
    for (const change of found.changes.slice(0, mostRead)) {
      const block = await readCoinBlock(ctx, { chain, node }, new Set(ours), change);
      for (const move of block.moves) moves.push({ ...move, blockNumber: change.height, blockHash: block.hash });
      const isDoubtful = change.changes !== null && (change.height === span.to || block.moves.some(isInside));
      if (isDoubtful && !(await isSameAgain(ctx, asked, change.height, block))) return null;
    }
    const [done, still] = [await node.block(found.last), await node.block(head.height)];
    return done === null || still?.hash !== head.hash ? null : { node, moves, done, more: found.last < head.height };
  } catch (error) {
    if (error instanceof Unreachable || error instanceof EvmRejected) return null;
    throw error;
  }
}

/**
 * Whether a block shows the same when its balances and receipts are asked for again. While a node adds a block, it may give the balances after it
 * for those before it, and a node may be wrong once: money would seem to leave in a block that has no such transaction.
 */
async function isSameAgain(ctx: Uses<"db">, asked: Asked, height: number, shown: ShownBlock): Promise<boolean> {
  const [before, after] = [await balancesAt(asked, height - 1), await balancesAt(asked, height)];
  const again = await readCoinBlock(ctx, asked, new Set(asked.ours), { height, changes: changesBetween(before, after) });
  return textOf(again) === textOf(shown);
}

function textOf({ hash, moves }: ShownBlock): string {
  return [hash, ...moves.map((move) => Object.values(move).map(String).join(" "))].join(", ");
}

/**
 * While the block at the cursor is on the chain, so are those before it. What moved before the books begin is in their opening balance: a reorg
 * leads back no further.
 */
async function startOf({ chain, node, start }: Asked, cursor: ReadBlock | null): Promise<number | null> {
  if (cursor === null) return start ?? (await finalHeight(chain, node).then((height) => height && Math.max(0, height)));
  const isThere = (await node.block(cursor.height))?.hash === cursor.hash;
  return Math.max(start ?? 0, isThere ? cursor.height : cursor.height - GO_BACK);
}

type Span = { from: number; to: number };
/** `last`: up to that block nothing is left out. */
type Changes = { changes: CoinReading[]; last: number };

/**
 * The blocks of a span in which a balance changed, the oldest first, up to a limit. Where a node has forgotten old balances, it is asked for the
 * blocks themselves, one after the other: they show everything but what moved inside contracts.
 */
async function findChanges(asked: Asked, { from, to }: Span): Promise<Changes> {
  const { mostRead } = asked;
  // Without a new block there is nothing to look for: two answers about one block differ only where one of them is wrong.
  if (from === to) return { changes: [], last: to };
  try {
    const changes: CoinReading[] = [];
    const [before, after] = [await balancesAt(asked, from), await balancesAt(asked, to)];
    await bisect(asked, { from, to, before, after }, changes);
    const next = changes[mostRead];
    return { changes: changes.slice(0, mostRead), last: next === undefined ? to : next.height - 1 };
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof EvmRejected) || to - from <= REMEMBERED) throw error;
    const last = Math.min(to, from + mostRead);
    return { changes: Array.from({ length: last - from }, (_, index) => ({ height: from + 1 + index, changes: null })), last };
  }
}

type Balances = ReadonlyMap<string, bigint>;
type Compared = Span & { before: Balances; after: Balances };

/** Adds the changed blocks of a span, until there is one more than are read at once. */
async function bisect(asked: Asked, { from, to, before, after }: Compared, found: CoinReading[]): Promise<void> {
  const changes = changesBetween(before, after);
  if (found.length > asked.mostRead || [...changes.values()].every((change) => change === 0n)) return;
  if (to - from === 1) {
    found.push({ height: to, changes });
    return;
  }
  const middle = from + Math.floor((to - from) / 2);
  const between = await balancesAt(asked, middle);
  await bisect(asked, { from, to: middle, before, after: between }, found);
  await bisect(asked, { from: middle, to, before: between, after }, found);
}

function changesBetween(before: Balances, after: Balances): Map<string, bigint> {
  return new Map([...after].map(([address, amount]) => [address, amount - (before.get(address) ?? 0n)] as const));
}

async function balancesAt({ node, ours }: Asked, height: number): Promise<Balances> {
  const balances = new Map<string, bigint>();
  for (let at = 0; at < ours.length; at += MOST_ADDRESSES) {
    const addresses = ours.slice(at, at + MOST_ADDRESSES);
    const amounts = await node.coinBalances(addresses, height);
    for (const [index, address] of addresses.entries()) balances.set(address, amounts[index] ?? 0n);
  }
  return balances;
}
