import { desc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transactions } from "#db/schema/transactions.ts";

/** Nonces of a stretch of the wallet's sequence that belong to no transaction of ours, lowest first. */
export async function listFreeNonces(
  db: Database,
  walletId: string,
  { from, below }: { from: number; below: number },
  limit: number,
): Promise<number[]> {
  const rows = await db.execute<{ nonce: string }>(sql`
    select n::text as nonce from generate_series(${from}::bigint, ${below - 1}::bigint) as n
    where not exists (select 1 from transactions t where t.wallet_id = ${walletId}::uuid and t.nonce = n) order by n limit ${limit}`);
  return rows.map(({ nonce }) => Number(nonce));
}

/** The nonce after the highest that was ever given away; null when none was. */
export async function highestNonce(db: Database, walletId: string): Promise<number | null> {
  const rows = await db
    .select({ nonce: transactions.nonce })
    .from(transactions)
    .where(eq(transactions.walletId, walletId))
    .orderBy(desc(transactions.nonce))
    .limit(1);
  return rows[0]?.nonce ?? null;
}
