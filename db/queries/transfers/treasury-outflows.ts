import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { chainHeads } from "#db/schema/chains.ts";
import type { ReadBlock } from "./chain-cursors.ts";

/** Down to which block the outgoing token transfers of a chain's wallets were read; null before the first reading. */
export async function findOutflowCursor(db: Database, chain: string): Promise<ReadBlock | null> {
  const [row] = await db
    .select({ height: chainHeads.outflowHeight, hash: chainHeads.outflowHash })
    .from(chainHeads)
    .where(eq(chainHeads.chain, chain));
  return row?.height == null || row.hash === null ? null : { height: row.height, hash: row.hash };
}

/** Records that everything up to this block was read. */
export async function saveOutflowCursor(tx: Database, chain: string, { height, hash }: ReadBlock): Promise<void> {
  await tx.update(chainHeads).set({ outflowHeight: height, outflowHash: hash }).where(eq(chainHeads.chain, chain));
}

/** Rows `u` of what left our wallets in unknown transactions that are neither proof of a payment nor booked as lost. */
export const IS_UNBOOKED = sql`exists (select 1 from wallets w where w.chain = u.chain and lower(w.address) = u.sender)
  and not exists (select 1 from transfer_proofs p where p.chain = u.chain and lower(p.hash) = u.hash)
  and not exists (select 1 from ledger_entries e where e.cause = 'treasury' and e.step = 'lost' and e.cause_id = u.chain || ':' || u.hash)`;

/** The tokens of a chain (null: its coin) of which something left our wallets that is not explained yet. Addresses in lower case. */
export async function listUnexplainedTokens(db: Database, chain: string): Promise<(string | null)[]> {
  const rows = await db.execute<{ token: string | null }>(
    sql`select distinct u.token from unexplained_payments u where u.chain = ${chain} and ${IS_UNBOOKED}`,
  );
  return rows.map(({ token }) => token);
}

/** Which of these transactions are kept as unexplained. */
export async function listKeptHashes(db: Database, chain: string, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ hash: string }>(
    sql`select distinct hash from unexplained_payments
      where chain = ${chain} and hash in (select jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb))`,
  );
  return new Set(rows.map(({ hash }) => hash));
}
