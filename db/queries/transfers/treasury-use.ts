import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { isRecent } from "#db/recent.ts";

/** The amounts paid out of the treasury on a chain in the last 24 hours of business time, in base units. */
export type TreasuryUse = { chain: string; currency: string; tokenDecimals: number; usedBase: bigint };

const DAY = sql`interval '24 hours'`;

/** By what settlements and top-ups delivered; read by the instants of their execution, however long the history is. */
export async function sumTreasuryUse(db: Database): Promise<TreasuryUse[]> {
  const rows = await db.execute<{ chain: string; currency: string; decimals: number; used: string }>(sql`
    select chain, currency, decimals, sum(base)::text as used from (
      select chain, destination_currency as currency, token_decimals as decimals, destination_amount_base as base from settlements
        where executed_at is not null and ${isRecent(sql`executed_at`, DAY)}
      union all
      select chain, destination_currency, token_decimals, destination_amount_base from topups
        where ${isRecent(sql`completed_at`, DAY)} and status = 'completed') as paid
    group by 1, 2, 3`);
  return rows.map((row) => ({ chain: row.chain, currency: row.currency, tokenDecimals: row.decimals, usedBase: BigInt(row.used) }));
}
