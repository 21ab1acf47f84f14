import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./transaction.ts";

/** All partners, by the node that has their rows. */
export async function partnersByNode(db: Database, table: string): Promise<string[][]> {
  const rows = await db.execute<{ ids: string[] }>(sql`
    select array_agg(p.id::text) as ids from partners p
      join pg_dist_placement n on n.shardid = get_shard_id_for_distribution_column(${table}::regclass, p.id) group by n.groupid`);
  return rows.map(({ ids }) => ids);
}

/** As a constant: Citus finds the nodes of an array by it. */
export function uuids(ids: readonly string[]): SQL {
  return sql.raw(`'{${ids.join(",")}}'::uuid[]`);
}
