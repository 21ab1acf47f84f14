import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { chainHeads } from "#db/schema/chains.ts";

export type ChainHead = typeof chainHeads.$inferSelect;

/** Records what a chain's nodes said. If none answered, height and time of the last answer stay. */
export async function saveChainHead(
  db: Database,
  head: { chain: string; height: number | null; blockAt: Date | null; nodesUp: number; nodesTotal: number; trouble: string | null },
): Promise<void> {
  const seenAt = head.height === null ? null : sql`clock_timestamp()`;
  const { chain: _, ...seen } = head;
  await db
    .insert(chainHeads)
    .values({ ...head, seenAt, checkedAt: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: chainHeads.chain,
      set: {
        ...seen,
        height: sql`coalesce(excluded.height, ${chainHeads.height})`,
        blockAt: sql`coalesce(excluded.block_at, ${chainHeads.blockAt})`,
        seenAt: sql`coalesce(excluded.seen_at, ${chainHeads.seenAt})`,
        checkedAt: sql`excluded.checked_at`,
      },
    });
}

/** Records the present price of gas, for a chain that is known already. */
export async function saveGasPrice(db: Database, chain: string, price: { baseFeePerGas: bigint; tipPerGas: bigint }): Promise<void> {
  await db.update(chainHeads).set(price).where(eq(chainHeads.chain, chain));
}

export async function listChainHeads(db: Database): Promise<ChainHead[]> {
  return await db.select().from(chainHeads).orderBy(asc(chainHeads.chain));
}
