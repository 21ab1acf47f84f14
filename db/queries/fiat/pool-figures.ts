import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { firstId } from "#domain/ids.ts";

/** What people want to know of the fiat pools beyond what can be paid out of them. */

export type PoolMark = {
  currency: string;
  lowWaterMinor: bigint;
  /** Asked for by top-ups and not collected yet. */
  pendingInMinor: bigint;
};

/** For each pool: below which its free amount should not fall, and what is still to come in. */
export async function listPoolMarks(db: Database): Promise<PoolMark[]> {
  const rows = await db.execute<{ currency: string; low_water: string; pending_in: string }>(sql`
    select f.currency, f.low_water_minor::text as low_water, coalesce((
      select sum(t.amount_minor) from topups t where t.currency = f.currency and (t.due_at is not null or t.ambiguous_since is not null) and t.step = 'collecting'
    ), 0)::text as pending_in
    from fiat_pools f order by f.currency`);
  return rows.map(({ currency, low_water, pending_in }) => {
    return { currency, lowWaterMinor: BigInt(low_water), pendingInMinor: BigInt(pending_in) };
  });
}

/** `day`: its beginning in UTC. */
export type PoolDay = { currency: string; day: Date; inMinor: bigint; outMinor: bigint };

/**
 * What the ledger booked into and out of each pool, by day of business time, from an instant on; days without any are left out. An
 * entry's id begins with its instant, so the postings are read from the index.
 */
export async function listPoolDays(db: Database, from: Date): Promise<PoolDay[]> {
  const rows = await db.execute<{ currency: string; day: string; came: string; went: string }>(sql`
    select p.currency, date_trunc('day', e.at, 'UTC') as day,
      coalesce(sum(p.amount) filter (where p.amount > 0), 0)::text as came, coalesce(-sum(p.amount) filter (where p.amount < 0), 0)::text as went
    from ledger_postings p join ledger_entries e on e.id = p.entry_id
    where p.account = 'fiat_pool' and p.phase = 'posted' and p.entry_id >= ${firstId("ledgerEntry", from)}
    group by 1, 2 order by 1, 2`);
  return rows.map(({ currency, day, came, went }) => ({ currency, day: new Date(day), inMinor: BigInt(came), outMinor: BigInt(went) }));
}
