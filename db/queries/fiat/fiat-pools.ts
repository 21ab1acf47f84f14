import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { fiatPools } from "#db/schema/fiat-provider.ts";
import type { FiatPool } from "#domain/fiat.ts";
import { firstId } from "#domain/ids.ts";
import { poolFunded } from "#domain/ledger.ts";
import { HOLDING, sumReserved } from "./withdrawals.ts";

/** Locks the pool of a currency until the transaction ends: no other transaction reserves or settles meanwhile. */
export async function lockPool(tx: Database, currency: string): Promise<FiatPool | null> {
  const [row] = await tx.select().from(fiatPools).where(eq(fiatPools.currency, currency)).for("update");
  return row ? { ...limitsOf(row), reservedMinor: await sumReserved(tx, currency) } : null;
}

/** As {@link lockPool}, without locking the row. */
export async function findPool(db: Database, currency: string): Promise<FiatPool | null> {
  const [row] = await db.select().from(fiatPools).where(eq(fiatPools.currency, currency));
  return row ? { ...limitsOf(row), reservedMinor: await sumReserved(db, currency) } : null;
}

/** All pools. One for each currency, so they are few: not paged. */
export async function listPools(db: Database): Promise<FiatPool[]> {
  const reserved = sql<string>`(select coalesce(sum(w.amount_minor), 0) from promised_withdrawals w
    where w.currency = fiat_pools.currency and w.step in (${HOLDING}))`;
  const rows = await db.select({ pool: fiatPools, reserved }).from(fiatPools).orderBy(asc(fiatPools.currency));
  return rows.map(({ pool, reserved: held }) => ({ ...limitsOf(pool), reservedMinor: BigInt(held) }));
}

/** Adds a deposit, or subtracts a payout (negative). Returns false for a currency without a pool. */
export async function changePoolTotal(tx: Database, currency: string, byMinor: bigint, now: Date): Promise<boolean> {
  const { count } = await tx
    .update(fiatPools)
    .set({ totalMinor: sql`${fiatPools.totalMinor} + ${byMinor.toString()}::bigint`, updatedAt: now })
    .where(eq(fiatPools.currency, currency));
  return count > 0;
}

/** Adds a pool and books its opening balance; an existing one stays as it is. */
export async function insertPool(
  db: Database,
  pool: Omit<FiatPool, "reservedMinor"> & { lowWaterMinor: bigint },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const added = await tx
      .insert(fiatPools)
      .values({ ...pool, createdAt: now, updatedAt: now })
      .onConflictDoNothing()
      .returning({ currency: fiatPools.currency });
    if (added.length > 0 && pool.totalMinor !== 0n) await insertLedgerEntry(tx, poolFunded(pool.currency, pool.totalMinor, "opened"), now);
  });
}

function limitsOf({ currency, totalMinor, minimumMinor, maximumMinor }: typeof fiatPools.$inferSelect) {
  return { currency, totalMinor, minimumMinor, maximumMinor };
}

/** Facts about the fiat pools besides their available amounts. */

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
