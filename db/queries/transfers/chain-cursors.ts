import { and, desc, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { chainCursors } from "#db/schema/chains.ts";

export type ReadBlock = { height: number; hash: string };

/** The highest block that was read; null before the first. */
export async function findCursor(db: Database, chain: string): Promise<ReadBlock | null> {
  return (await listCursors(db, chain, 1))[0] ?? null;
}

/** The highest recorded block at or below a height; null where there is none. */
export async function findCursorDownFrom(db: Database, chain: string, height: number): Promise<ReadBlock | null> {
  const [row] = await db
    .select({ height: chainCursors.height, hash: chainCursors.blockHash })
    .from(chainCursors)
    .where(and(eq(chainCursors.chain, chain), lte(chainCursors.height, height)))
    .orderBy(desc(chainCursors.height))
    .limit(1);
  return row ?? null;
}

/** The blocks that were read, highest first. */
export async function listCursors(db: Database, chain: string, limit: number): Promise<ReadBlock[]> {
  return await db
    .select({ height: chainCursors.height, hash: chainCursors.blockHash })
    .from(chainCursors)
    .where(eq(chainCursors.chain, chain))
    .orderBy(desc(chainCursors.height))
    .limit(limit);
}

/** One reader of a chain at a time moves its cursor; the lock ends with the transaction. */
export async function lockCursor(tx: Database, chain: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('chain_cursor'), hashtext(${chain}))`);
}

/** Keeps the blocks read, and of older ones only what a reorganisation may reach. */
export async function insertCursors(tx: Database, chain: string, blocks: readonly ReadBlock[], keepFrom: number): Promise<void> {
  if (blocks.length === 0) return;
  await tx
    .insert(chainCursors)
    .values(blocks.map(({ height, hash }) => ({ chain, height, blockHash: hash, readAt: sql`clock_timestamp()` })));
  await tx.delete(chainCursors).where(and(eq(chainCursors.chain, chain), lt(chainCursors.height, keepFrom)));
}

/** Forgets every block above a height. */
export async function dropCursorsAbove(tx: Database, chain: string, height: number): Promise<void> {
  await tx.delete(chainCursors).where(and(eq(chainCursors.chain, chain), gt(chainCursors.height, height)));
}
