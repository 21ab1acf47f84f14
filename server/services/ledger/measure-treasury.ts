import type { Database } from "#db/client.ts";
import { allowLongStatements } from "#db/queries/audit/rules/rule.ts";
import { readBookedTreasury } from "#db/queries/ledger/ledger-balances.ts";
import { sumFeesAbove, sumFeesUpTo } from "#db/queries/ledger/network-fees.ts";
import { findCursorDownFrom, type ReadBlock } from "#db/queries/transfers/chain-cursors.ts";
import type { Member } from "#db/queries/transfers/pack-members.ts";
import { findTreasuryCursor, listUnbooked, sumLinesAbove } from "#db/queries/transfers/suspense-lines.ts";
import { listBookHeights } from "#db/queries/transfers/treasury-books.ts";
import { blockBeforeTransfers, listUnderway, sumMovedAbove, type Underway } from "#db/queries/transfers/treasury-movements.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { memberEnds } from "#domain/packed-transfers.ts";
import { changeOf } from "#domain/suspense-line.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Transfer } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Uses } from "#server/context.ts";
import { EvmRejected } from "#server/ports.ts";
import { type AnsweringChain, finalHeightOf } from "./answering-chain.ts";
import { findLine } from "./find-line.ts";

/** The balances of a chain's wallets of a token at a final height, next to what the ledger expects at that height. */
export type TreasuryMeasure = {
  chain: string;
  currency: string;
  decimals: number;
  height: number;
  /** Whose balances were read. */
  wallets: readonly string[];
  heldBase: bigint;
  bookedBase: bigint;
  /** What lines changed before the token's books begin: the opening balance will count it. */
  earlyBase: bigint;
  /** Whether the ledger has an opening balance. */
  opened: boolean;
  /** The blocks in the books are on the chain, before and after the reading: outside deposits may be booked. */
  isSteady: boolean;
};

/**
 * Compares at a final height, up to which the movements of the wallets were read. It subtracts what the ledger has booked from later blocks,
 * and adds, by receipt, what is in a block but not booked yet; the same for fees, in the chain's coin, and for lines in suspense. What a deep reorg has taken back is in flight again: its amount and its fee count
 * only by receipt. `only`: these currencies; omitted: all. The cost depends on open and recent transfers, never on the history.
 */
export async function measureTreasury(ctx: Uses<"db">, chain: AnsweringChain, only?: readonly string[]): Promise<TreasuryMeasure[]> {
  const name = chain.info.chain;
  const tokens = chain.info.tokens.filter(({ currency }) => only === undefined || only.includes(currency));
  const height = await comparedHeight(ctx, chain);
  const before = await chain.node.block(height);
  const wallets = await listWalletAddresses(ctx.db, name);
  if (wallets.length === 0) return [];
  const held = new Map<string, bigint>();
  for (const token of tokens) held.set(token.currency, await sumBalances(chain, wallets, token, height));
  const booked = await ctx.db.transaction((tx) => readBooks(tx, { chain: name, tokens, height }), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
  const landed = await sumLanded(chain, booked, height);
  const lines = await sumUnbooked(ctx, chain, height);
  for (const [currency, amount] of lines.within) landed.set(currency, (landed.get(currency) ?? 0n) + amount);
  const isSteady = before !== null && (await isUnchanged(chain, [before, ...booked.read]));
  return tokens.map(({ currency, decimals }) => {
    const book = booked.tokens.get(currency) ?? { amount: 0n, opened: false };
    return {
      chain: name,
      currency,
      decimals,
      height,
      wallets,
      heldBase: held.get(currency) ?? 0n,
      bookedBase: book.amount + (landed.get(currency) ?? 0n),
      earlyBase: lines.early.get(currency) ?? 0n,
      opened: book.opened,
      isSteady,
    };
  });
}

/** The final height, or that of the last reading of movements: what is newer may be in no line yet. */
async function comparedHeight({ db }: Uses<"db">, chain: AnsweringChain): Promise<number> {
  const final = await finalHeightOf(chain);
  const cursors = [await findTreasuryCursor(db, chain.info.chain, "wallet"), await findTreasuryCursor(db, chain.info.chain, "wallet_coin")];
  return Math.min(final, ...cursors.map((cursor) => cursor?.height ?? final));
}

/**
 * What the wallets' lines changed that are in a block and not in the ledger. `within`: above where the token's books begin. `early`: of a token
 * whose books have not begun. What lies between is in the opening balance.
 */
async function sumUnbooked(ctx: Uses<"db">, { node, info }: AnsweringChain, height: number): Promise<Record<"within" | "early", Sums>> {
  const [within, early]: [Sums, Sums] = [new Map(), new Map()];
  const heights = await listBookHeights(ctx.db, info.chain);
  for (const line of await listUnbooked(ctx.db, info.chain)) {
    const at = await findLine(ctx, { chain: info, node }, line);
    const begun = heights.get(line.currency);
    if (at === null || at.blockNumber > height || at.blockNumber <= (begun ?? -1)) continue;
    const sums = begun === undefined ? early : within;
    sums.set(line.currency, (sums.get(line.currency) ?? 0n) + changeOf(line));
  }
  return { within, early };
}

type Sums = Map<string, bigint>;

/** Their balances before the first transfer, where a node still knows; null where none does. */
export async function heldBeforeTransfers(
  ctx: Uses<"db">,
  chain: AnsweringChain,
  token: TokenInfo,
  { wallets, height }: Pick<TreasuryMeasure, "wallets" | "height">,
): Promise<bigint | null> {
  const before = await blockBeforeTransfers(ctx.db, chain.info.chain);
  // A first payment that was mined meanwhile, and a wallet that came meanwhile, are not in what was measured.
  if (before === null || before >= height) return null;
  try {
    return await sumBalances(chain, wallets, token, before);
  } catch (error) {
    if (error instanceof EvmRejected) return null;
    throw error;
  }
}

async function sumBalances({ node }: AnsweringChain, wallets: readonly string[], token: TokenInfo, height: number): Promise<bigint> {
  let sum = 0n;
  for (const wallet of wallets) sum += await node.balance(wallet, token.address, height);
  return sum;
}

async function isUnchanged({ node }: AnsweringChain, blocks: readonly ReadBlock[]): Promise<boolean> {
  for (const { height, hash } of blocks) if ((await node.block(height))?.hash !== hash) return false;
  return true;
}

type Books = {
  tokens: ReadonlyMap<string, { amount: bigint; opened: boolean }>;
  underway: readonly Underway[];
  /** The highest block down from the height that the books know, if there is one. */
  read: readonly ReadBlock[];
};
type Wanted = { chain: string; tokens: readonly TokenInfo[]; height: number };

async function readBooks(tx: Database, { chain, tokens: wanted, height }: Wanted): Promise<Books> {
  await allowLongStatements(tx);
  const tokens = new Map<string, { amount: bigint; opened: boolean }>();
  const underway = await listUnderway(tx, chain);
  const hashes = underway.flatMap(({ attempts }) => attempts.map(({ hash }) => hash));
  for (const { currency, address } of wanted) {
    const { amount, opened } = await readBookedTreasury(tx, { chain, currency });
    const moved = await sumMovedAbove(tx, { chain, currency }, height);
    const lines = await sumLinesAbove(tx, { chain, currency }, height);
    const fees = address === null ? (await sumFeesAbove(tx, chain, height)) + (await sumFeesUpTo(tx, hashes, height)) : 0n;
    tokens.set(currency, { amount: amount - moved - lines + fees, opened });
  }
  const read = await findCursorDownFrom(tx, chain, height);
  return { tokens, underway, read: read === null ? [] : [read] };
}

/** What transfers in flight have already moved and cost in blocks up to this height. */
async function sumLanded({ node, info }: AnsweringChain, { underway }: Books, height: number): Promise<Map<string, bigint>> {
  const landed = new Map<string, bigint>();
  const add = (currency: string, amount: bigint) => landed.set(currency, (landed.get(currency) ?? 0n) + amount);
  for (const { transfer, isBooked, attempts, members } of underway) {
    for (const { hash, kind } of attempts) {
      const receipt = await node.receipt(hash);
      if (receipt === null || receipt.blockHeight > height) continue;
      add(info.native.currency, -receipt.feeBase);
      if (kind === "payment" && !isBooked)
        add(transfer.currency, members.length > 0 ? movedByPack(transfer, members, receipt) : movedBy(transfer, receipt));
    }
  }
  return landed;
}

/** What a packed transaction moved, by the logs of its payments. */
function movedByPack(transfer: Transfer, members: readonly Member[], receipt: EvmReceipt): bigint {
  if (!receipt.succeeded) return 0n;
  const ends = memberEnds({ transfer, members, walletAddress: receipt.sender }, receipt.logs);
  return members.reduce((sum, { transfer: { id, amountBase } }) => (ends.get(id)?.outcome === "paid" ? sum - amountBase : sum), 0n);
}

function movedBy(transfer: Transfer, receipt: EvmReceipt): bigint {
  if (transfer.purpose === "deployment" || !receipt.succeeded || judgeReceipt(transfer, receipt.logs).type !== "execute") return 0n;
  return transfer.purpose === "sweep" ? transfer.amountBase : -transfer.amountBase;
}
