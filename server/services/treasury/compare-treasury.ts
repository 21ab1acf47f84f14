import { findOpenHalts } from "#db/queries/halts/scope-halts.ts";
import { listOpenLines } from "#db/queries/transfers/suspense-lines.ts";
import { findOwnAttempts } from "#db/queries/transfers/transactions.ts";
import { listProvedPlaces } from "#db/queries/transfers/transfer-proofs.ts";
import { listOpenPayments } from "#db/queries/transfers/transfers.ts";
import { listLostHashes } from "#db/queries/transfers/treasury-losses.ts";
import { listWallets, type Wallet } from "#db/queries/transfers/wallets.ts";
import type { EvmBlock } from "#domain/evm-chain.ts";
import { type ForeignTransaction, matchPayments, type PaidTransfer } from "#domain/foreign-transaction.ts";
import { foreignNoncesIn, type ScopeHalt } from "#domain/halt-scope.ts";
import type { SuspenseLine } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, Rejected, Unreachable } from "#server/ports.ts";
import { findForeign } from "./find-foreign.ts";

/** Blocks that are read one by one where a node has forgotten its old states, and nonces that are looked for, at most. */
const MOST_BLOCKS = 20_000;
const MOST_NONCES = 10_000;
/** Of one transaction. */
const MOST_LINES = 200;

export type WalletComparison = {
  address: string;
  nonces: readonly number[];
  transactions: ForeignTransaction[];
  unread: readonly number[];
};
/**
 * `unexplained`: unknown transactions that made no open payment, proved none and are not booked as losses. `besides`: lines in suspense of
 * those that did, as of a packed transaction a payment of which nobody owes here.
 */
export type ChainComparison = {
  chain: string;
  /** Why nothing could be read; null: a node answered. */
  trouble: string | null;
  wallets: WalletComparison[];
  paid: PaidTransfer[];
  unexplained: ForeignTransaction[];
  besides: SuspenseLine[];
};

/**
 * Compares the transactions of the treasury's wallets on each chain with the database: after a restore the chain is ahead. It reads the
 * transactions at unknown nonces, names the open payments that they made, and changes nothing.
 */
export async function compareTreasury(ctx: Uses<"db" | "evm">): Promise<ChainComparison[]> {
  const wallets = await listWallets(ctx.db);
  return await Promise.all(
    ctx.evm.list().map(async (chain) => {
      const own = wallets.filter((wallet) => wallet.chain === chain.chain);
      try {
        return await compareChain(ctx, chain, own);
      } catch (error) {
        if (!(error instanceof Unreachable) && !(error instanceof Rejected)) throw error;
        return { chain: chain.chain, trouble: error.message, wallets: [], paid: [], unexplained: [], besides: [] };
      }
    }),
  );
}

/** The transactions that halted a wallet: those that were read, the open payments that they made, and the nonces that could not be read. */
export type HaltReading = {
  chain: string;
  address: string;
  transactions: readonly ForeignTransaction[];
  paid: readonly { transferId: string; hash: string }[];
  unread: readonly number[];
};

/**
 * Reads what halted a wallet as it is on the chain now, every nonce of it. Null for a halt with another cause. If no node answers, or the
 * chain is not configured, nothing is read.
 */
export async function readHalt(ctx: Uses<"db" | "evm">, halt: ScopeHalt): Promise<HaltReading | null> {
  const range = foreignNoncesIn(halt);
  if (range === null) return null;
  const wallets = await listWallets(ctx.db);
  const wallet = wallets.find(({ id }) => id === halt.scope.key);
  const chain = wallet && ctx.evm.find(wallet.chain);
  const nothing = {
    chain: wallet?.chain ?? "",
    address: wallet?.address ?? halt.scope.key,
    transactions: [],
    paid: [],
    unread: range.nonces,
  };
  if (!wallet || !chain) return nothing;
  try {
    const own = wallets.filter((one) => one.chain === chain.chain);
    const compared = await compareChain(ctx, chain, own);
    const same = compared.wallets.filter(({ address }) => address === wallet.address);
    const unread = new Set(same.flatMap((one) => one.unread));
    return {
      chain: wallet.chain,
      address: wallet.address,
      transactions: same.flatMap((one) => one.transactions),
      paid: compared.paid.map(({ payment, transaction }) => ({ transferId: payment.id, hash: transaction.hash })),
      unread: range.nonces.filter((nonce) => unread.has(nonce)),
    };
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof Rejected)) throw error;
    return nothing;
  }
}

async function compareChain(ctx: Uses<"db">, chain: EvmChain, wallets: readonly Wallet[]): Promise<ChainComparison> {
  const { node, head } = await firstAnswering(chain);
  const compared: WalletComparison[] = [];
  for (const wallet of wallets) compared.push(await compareWallet(ctx, { node, head }, wallet));
  const transactions = compared.flatMap((one) => one.transactions);
  const hashes = transactions.map(({ hash }) => hash);
  const proved = await listProvedPlaces(ctx.db, chain.chain, hashes);
  const lost = await listLostHashes(ctx.db, chain.chain, hashes);
  const paid = matchPayments(transactions, await listOpenPayments(ctx.db, chain.chain), proved);
  const explained = new Set([...proved.keys(), ...lost, ...paid.map(({ transaction }) => transaction.hash)]);
  const unexplained = transactions.filter(({ hash }) => !explained.has(hash));
  const besides: SuspenseLine[] = [];
  for (const { hash } of transactions)
    if (explained.has(hash)) besides.push(...(await listOpenLines(ctx.db, { chain: chain.chain, hash }, MOST_LINES)).filter(isBeside));
  return { chain: chain.chain, trouble: null, wallets: compared, paid, unexplained, besides };

  /** A token's payment out of a wallet, for none of the payments that were found. */
  function isBeside({ holder, direction, hash, place }: SuspenseLine): boolean {
    const isFound = paid.some((one) => one.transaction.hash === hash && one.place === place);
    return holder === "wallet" && direction === "out" && place >= 0 && !isFound;
  }
}

type Asked = { node: EvmNode; head: EvmBlock };

async function firstAnswering(chain: EvmChain): Promise<Asked> {
  for (const node of chain.nodes) {
    const head = await node.block("latest").catch((error: unknown) => {
      if (error instanceof Unreachable) return null;
      throw error;
    });
    if (head !== null) return { node, head };
  }
  throw new Unreachable(`no node of ${chain.chain} answers`);
}

async function compareWallet({ db }: Uses<"db">, { node, head }: Asked, wallet: Wallet): Promise<WalletComparison> {
  const halts = await findOpenHalts(db, [{ kind: "wallet", key: wallet.id }]);
  const halted = halts.flatMap((halt) => foreignNoncesIn(halt) ?? []);
  const count = await node.nonce(wallet.address, head.height);
  const next = wallet.nextNonce ?? Math.max(0, count - MOST_NONCES);
  const ahead = Array.from({ length: Math.max(0, count - next) }, (_, index) => next + index);
  const nonces = [...new Set([...halted.flatMap((range) => range.nonces), ...ahead])];
  const above = Math.min(...[wallet.alignedHeight, ...halted.map((range) => range.above)].map((height) => height ?? -1));
  const asked = nonces.slice(0, MOST_NONCES);
  const { found, unread } = await findForeign(node, {
    address: wallet.address,
    nonces: asked,
    above,
    head: head.height,
    mostBlocks: MOST_BLOCKS,
  });
  const ours = new Set(
    (
      await findOwnAttempts(
        db,
        found.map(({ hash }) => hash),
      )
    ).map(({ hash }) => hash),
  );
  return {
    address: wallet.address,
    nonces,
    transactions: found.filter(({ hash }) => !ours.has(hash)),
    unread: [...unread, ...nonces.slice(MOST_NONCES)],
  };
}
