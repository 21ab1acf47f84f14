import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { fiatPools } from "#db/schema/fiat-pools.ts";
import type { FiatPool } from "#domain/fiat.ts";
import { poolFunded } from "#domain/ledger.ts";
import { sumReserved } from "./withdrawals.ts";

/** The pool of a currency, its row held until the transaction ends: nobody else reserves or settles meanwhile. */
export async function lockPool(tx: Database, currency: string): Promise<FiatPool | null> {
  const [row] = await tx.select().from(fiatPools).where(eq(fiatPools.currency, currency)).for("update");
  return row ? { ...limitsOf(row), reservedMinor: await sumReserved(tx, currency) } : null;
}

/** As {@link lockPool}, without holding the row. */
export async function findPool(db: Database, currency: string): Promise<FiatPool | null> {
  const [row] = await db.select().from(fiatPools).where(eq(fiatPools.currency, currency));
  return row ? { ...limitsOf(row), reservedMinor: await sumReserved(db, currency) } : null;
}

/** All pools. One for each currency, so they are few: not paged. */
export async function listPools(db: Database): Promise<FiatPool[]> {
  const reserved = sql<string>`(select coalesce(sum(w.amount_minor), 0) from withdrawals w
    where w.currency = ${fiatPools.currency} and w.step in ('reserved', 'sweeping', 'paying_out'))`;
  const rows = await db.select({ pool: fiatPools, reserved }).from(fiatPools).orderBy(asc(fiatPools.currency));
  return rows.map(({ pool, reserved: held }) => ({ ...limitsOf(pool), reservedMinor: BigInt(held) }));
}

/** Adds what came in, or takes off what was paid out (negative). A currency without a pool has none to change: answers false. */
export async function changePoolTotal(tx: Database, currency: string, byMinor: bigint, now: Date): Promise<boolean> {
  const rows = await tx
    .update(fiatPools)
    .set({ totalMinor: sql`${fiatPools.totalMinor} + ${byMinor.toString()}::bigint`, updatedAt: now })
    .where(eq(fiatPools.currency, currency))
    .returning({ currency: fiatPools.currency });
  return rows.length > 0;
}

/** Adds a pool, and books what it begins with; one that exists stays as it is. */
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
