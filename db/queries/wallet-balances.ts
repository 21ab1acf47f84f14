import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { walletBalances } from "#db/schema/wallet-balances.ts";
import { wallets } from "#db/schema/wallets.ts";

export async function saveWalletBalance(
  db: Database,
  balance: { walletId: string; currency: string; amountBase: bigint; low: boolean },
): Promise<void> {
  const { amountBase, low } = balance;
  await db
    .insert(walletBalances)
    .values({ ...balance, observedAt: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: [walletBalances.walletId, walletBalances.currency],
      set: { amountBase, low, observedAt: sql`excluded.observed_at` },
    });
}

export type TreasuryBalance = { chain: string; address: string; currency: string; amountBase: bigint; low: boolean; observedAt: Date };

/** What each treasury wallet held when the worker last looked. */
export async function listTreasuryBalances(db: Database): Promise<TreasuryBalance[]> {
  return await db
    .select({
      chain: wallets.chain,
      address: wallets.address,
      currency: walletBalances.currency,
      amountBase: walletBalances.amountBase,
      low: walletBalances.low,
      observedAt: walletBalances.observedAt,
    })
    .from(walletBalances)
    .innerJoin(wallets, eq(wallets.id, walletBalances.walletId))
    .orderBy(asc(wallets.chain), asc(wallets.address), asc(walletBalances.currency));
}
