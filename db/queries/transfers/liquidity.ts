import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { walletsOf } from "./wallets.ts";

/** What the treasury can still promise in one currency of a chain, in base units. */
export type Liquidity = {
  chain: string;
  currency: string;
  /** The balances of the paying wallets at the worker's last reading, minus all promises that they do not show yet. May be negative. */
  freeBase: bigint;
  /** The largest of these balances: one wallet makes a payment. */
  largestBase: bigint;
};

/** All of them, or of one currency of a chain. A currency without a result has not been read by a worker yet. */
export async function listLiquidity(db: Database): Promise<Liquidity[]> {
  return (await db.execute<LiquidityRow>(liquidity())).map(liquidityFromRow);
}

export type LiquidityRow = { chain: string; currency: string; free: string; largest: string };

export function liquidityFromRow({ chain, currency, free, largest }: LiquidityRow): Liquidity {
  return { chain, currency, freeBase: BigInt(free), largestBase: BigInt(largest) };
}

/**
 * From figures that the worker maintains, without a sum over history: the balances `b` of wallets at a block, and only the transfers in
 * no block yet or in a later one. Promises to all partners count, no matter who asks. `own`: the wallets asked
 * for, as of `walletsOf`.
 */
export function liquidity(own = sql`(${walletsOf(sql`true`)})`, wanted = sql`true`): SQL {
  const promised = (which: SQL) => sql`coalesce((select sum(t.amount_base) from promised_transfers t
    where t.chain = seen.chain and t.currency = seen.currency and t.call_data is null and ${which}), 0)`;
  return sql`select seen.chain, seen.currency, seen.largest::text as largest,
      (seen.held - ${promised(sql`t.block_number > seen.height and t.state <> 'failed'`)} - ${promised(sql`t.block_number is null and t.is_unfinished`)})::text as free
    from (
      select w.chain, b.currency, min(b.height) as height, coalesce(sum(b.amount_base) filter (where w.pays), 0) as held,
        coalesce(max(b.amount_base) filter (where w.pays), 0) as largest
      from wallet_balances b join ${own} as w on w.id = b.wallet_id
      where ${wanted} group by w.chain, b.currency) as seen`;
}
