import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { walletBalances, wallets } from "#db/schema/wallets.ts";
import type { WalletState } from "#domain/wallet.ts";
import { pays } from "./wallets.ts";

export type SeenBalance = {
  walletId: string;
  currency: string;
  amountBase: bigint;
  /** What it should at least be. */
  thresholdBase: bigint;
  /** As of that block. */
  height: number;
  low: boolean;
};

export async function saveWalletBalance(db: Database, balance: SeenBalance): Promise<void> {
  const { walletId: _wallet, currency: _currency, ...seen } = balance;
  await db
    .insert(walletBalances)
    .values({ ...balance, observedAt: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: [walletBalances.walletId, walletBalances.currency],
      set: { ...seen, observedAt: sql`excluded.observed_at` },
    });
}

export type TreasuryBalance = SeenBalance & { chain: string; address: string; state: WalletState; observedAt: Date };

/** Each treasury wallet's balance at the worker's last reading. One that signs nothing new needs nothing, and never runs low. */
export async function listTreasuryBalances(db: Database): Promise<TreasuryBalance[]> {
  return await db
    .select({
      walletId: wallets.id,
      chain: wallets.chain,
      address: wallets.address,
      state: wallets.state,
      currency: walletBalances.currency,
      amountBase: walletBalances.amountBase,
      thresholdBase: walletBalances.thresholdBase,
      height: walletBalances.height,
      low: sql<boolean>`${walletBalances.low} and ${wallets.state} = 'active'`,
      observedAt: walletBalances.observedAt,
    })
    .from(walletBalances)
    .innerJoin(wallets, eq(wallets.id, walletBalances.walletId))
    .orderBy(asc(wallets.chain), asc(wallets.address), asc(walletBalances.currency));
}

/** Per chain and currency the largest balance of a wallet that signs and has no trouble: one wallet makes a payment. */
export async function listLargestBalances(db: Database): Promise<{ chain: string; currency: string; amountBase: bigint }[]> {
  const rows = await db.execute<{ chain: string; currency: string; amount: string }>(sql`
    select w.chain, b.currency, max(b.amount_base)::text as amount from wallet_balances b join wallets w on w.id = b.wallet_id
    where ${pays("w")} and w.trouble is null group by w.chain, b.currency`);
  return rows.map(({ chain, currency, amount }) => ({ chain, currency, amountBase: BigInt(amount) }));
}
