import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { walletsOf } from "./wallets.ts";

/**
 * Whether nothing is paid on the chain: it is halted, or none of its wallets signs. One whose wallets no worker has read yet does not count
 * as such.
 */
export async function isChainHalted(db: Database, chain: string): Promise<boolean> {
  const rows = await db.execute<{ halted: boolean }>(
    sql`select ${haltOf(sql`${chain}`, sql`(${walletsOf(sql`w.chain = ${chain}`)})`)} as halted`,
  );
  return rows[0]?.halted === true;
}

/** As {@link isChainHalted}, as a column. `own`: the chain's wallets, as of {@link walletsOf}. */
export function haltOf(chain: SQL, own: SQL): SQL {
  return sql`(exists (select 1 from lane_halts h where h.lifted_at is null and ((h.lane_kind = 'chain' and h.lane_key = ${chain}) or h.lane_kind = 'all'))
    or coalesce((select not bool_or(w.pays) from ${own} as w), false))`;
}
