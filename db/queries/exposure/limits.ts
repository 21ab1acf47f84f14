import { and, asc, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { exposureLimits } from "#db/schema/exposure.ts";
import type { Limit } from "#domain/exposure-limit.ts";

/** Every present limit, including inactive ones. There are few. */
export async function listLimits(db: Database): Promise<Limit[]> {
  return (await db.select().from(exposureLimits).where(isNull(exposureLimits.replacedAt)).orderBy(asc(exposureLimits.id))).map(toLimit);
}

/** The versions that were replaced, newest first. */
export async function listReplacedLimits(db: Database, limit: number): Promise<Limit[]> {
  const rows = await db
    .select()
    .from(exposureLimits)
    .where(isNotNull(exposureLimits.replacedAt))
    .orderBy(desc(exposureLimits.replacedAt))
    .limit(limit);
  return rows.map(toLimit);
}

/** Locks the present limit: of two who change it at once, the second sees the first one's result. */
export async function lockLimit(tx: Database, id: string): Promise<Limit | null> {
  const rows = await tx
    .select()
    .from(exposureLimits)
    .where(and(eq(exposureLimits.id, id), isNull(exposureLimits.replacedAt)))
    .for("update");
  return rows[0] ? toLimit(rows[0]) : null;
}

/** Activates a version in place of the previous one. False, and nothing changes, when somebody else was faster. */
export async function insertLimit(tx: Database, limit: Limit): Promise<boolean> {
  const { id, version, madeAt, addresses, ...rest } = limit;
  const before = and(eq(exposureLimits.id, id), eq(exposureLimits.version, version - 1), isNull(exposureLimits.replacedAt));
  if (version > 1) await tx.update(exposureLimits).set({ replacedAt: madeAt }).where(before);
  const values = { ...rest, id, version, madeAt, addresses: addresses === null ? null : [...addresses] };
  return (await tx.insert(exposureLimits).values(values).onConflictDoNothing().returning({ id: exposureLimits.id })).length > 0;
}

function toLimit({ replacedAt: _, ...limit }: typeof exposureLimits.$inferSelect): Limit {
  return limit;
}
