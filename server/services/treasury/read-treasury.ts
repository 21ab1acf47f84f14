import { type ChainHead, listChainHeads } from "#db/queries/transfers/chain-heads.ts";
import { listUnderReview } from "#db/queries/transfers/treasury-nonces.ts";
import { listTreasuryBalances, type TreasuryBalance } from "#db/queries/transfers/wallet-balances.ts";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { WalletState } from "#domain/wallet.ts";
import type { Uses } from "#server/context.ts";

export type Treasury = {
  /** The worker's last reading of each chain; `trouble` says why nothing moves there. */
  heads: ChainHead[];
  /** Per wallet and currency, in base units, as last seen. */
  balances: TreasuryBalance[];
  wallets: { id: string; chain: string; address: string; state: WalletState; trouble: string | null }[];
};

/** The worker's last reading of chains and treasury wallets, for `/ready`, `/metrics` and the console. Reads only the database. */
export async function readTreasury(ctx: Uses<"db">): Promise<Treasury> {
  const [heads, balances, wallets] = await Promise.all([listChainHeads(ctx.db), listTreasuryBalances(ctx.db), listWallets(ctx.db)]);
  return {
    heads,
    balances,
    wallets: wallets.map(({ id, chain, address, state, trouble }) => ({ id, chain, address, state, trouble })),
  };
}

const AT_ONCE = 100;

/** Transfers that wait for an operator's decision, oldest first, at most a hundred. */
export async function listReviews(ctx: Uses<"db">): Promise<Transfer[]> {
  return await listUnderReview(ctx.db, AT_ONCE);
}
