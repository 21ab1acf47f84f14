import { and, asc, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { wallets } from "#db/schema/wallets.ts";
import { pays } from "./wallets.ts";

/** The wallet with exactly this address, in any state; null: there is none. */
export async function findWalletId(db: Database, chain: string, address: string): Promise<string | null> {
  const [row] = await db
    .select({ id: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.chain, chain), eq(wallets.address, address)));
  return row?.id ?? null;
}

/** The addresses of the wallets that sign new payments on a chain. */
export async function listPayingAddresses(db: Database, chain: string): Promise<string[]> {
  const rows = await db
    .select({ address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.chain, chain), pays()))
    .orderBy(asc(wallets.address));
  return rows.map(({ address }) => address);
}
