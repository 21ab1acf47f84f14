import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { firstId } from "#domain/ids.ts";

/**
 * The fees of a wallet's transactions since an instant (business time): what they have cost, or may cost at most while they are not final.
 * Its cost depends on that time alone.
 */
export async function sumGasSince(db: Database, walletId: string, since: Date): Promise<bigint> {
  const [row] = await db.execute<{ used: string }>(sql`
    select coalesce(sum(coalesce(booked.fee, promised.fee, 0)), 0)::text as used
    from transactions t
    left join lateral (
      select sum(f.fee_base) as fee from transaction_attempts a join network_fees f on f.hash = a.hash where a.transaction_id = t.id
    ) as booked on true
    left join lateral (
      select a.gas_limit * a.max_fee_per_gas as fee from transaction_attempts a where a.transaction_id = t.id order by a.number desc limit 1
    ) as promised on true
    where t.id >= ${firstId("transaction", since)} and t.wallet_id = ${walletId}`);
  return BigInt(row?.used ?? 0);
}
