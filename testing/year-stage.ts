import postgres from "postgres";
import { type Database, openDatabase } from "#db/client.ts";
import { createTestDatabase } from "./database.ts";

export type YearStage = {
  /** In the role of all processes. One connection, so work that waits for a second one hangs. */
  db: Database;
  /** The owner's connection. */
  owner: postgres.Sql;
  /** How many rows of which table that work reads, by PostgreSQL's own count. */
  rowsRead(work: () => Promise<unknown>): Promise<Map<string, number>>;
  close(): Promise<void>;
};

/** A database with what `seed` puts into it. With tens of thousands of settlements PostgreSQL plans most statements as in a large one. */
export async function openYear(seed: (database: { owner: postgres.Sql; db: Database }) => Promise<void>): Promise<YearStage> {
  const database = await createTestDatabase();
  const owner = postgres(database.url, { max: 1, onnotice: () => {} });
  // On a pool of its own: until its connection ends, what the seed has read could be counted as another query's.
  const seeding = openDatabase({ url: database.url, applicationName: "seed", maxConnections: 1, role: database.role });
  await seed({ owner, db: seeding.db });
  await seeding.close();
  const pool = openDatabase({ url: database.url, applicationName: "year", maxConnections: 1, role: database.role });
  const countRead = async () => {
    await pool.sql`select pg_stat_force_next_flush()`;
    await owner`select pg_stat_force_next_flush()`;
    const rows = await owner<{ name: string; read: string }[]>`
      select t.relname as name, t.seq_tup_read + coalesce((select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0) as read
      from pg_stat_user_tables t`;
    return new Map(rows.map((row) => [row.name, Number(row.read)]));
  };
  return {
    db: pool.db,
    owner,
    async rowsRead(work) {
      const before = await countRead();
      await work();
      const after = await countRead();
      return new Map([...after].map(([table, read]) => [table, read - (before.get(table) ?? 0)]));
    },
    async close() {
      await pool.close();
      await owner.end();
      await database.close();
    },
  };
}
