import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./transaction.ts";
import { unlessNodeAway } from "./trouble.ts";

/**
 * What all nodes answer about a distributed table. While a node is away, each of the others is asked alone. `among`: a condition on the
 * partner, which begins with `and`.
 */
export async function askNodes<Answer>(db: Database, table: string, ask: (among: SQL) => Promise<readonly Answer[]>): Promise<Answer[]> {
  const all = await unlessNodeAway(ask(sql``));
  if (all !== null) return [...all];
  const nodes = await partnersByNode(db, table);
  const answers = await Promise.all(nodes.map((ids) => unlessNodeAway(ask(sql`and partner_id = any(${uuids(ids)})`))));
  return answers.flatMap((answer) => answer ?? []);
}

/** All partners, by the node that has their rows. */
async function partnersByNode(db: Database, table: string): Promise<string[][]> {
  const rows = await db.execute<{ ids: string[] }>(sql`
    select array_agg(p.id::text) as ids from partners p
      join pg_dist_placement n on n.shardid = get_shard_id_for_distribution_column(${table}::regclass, p.id) group by n.groupid`);
  return rows.map(({ ids }) => ids);
}

/** As a constant: Citus finds the nodes of an array by it. */
function uuids(ids: readonly string[]): SQL {
  return sql.raw(`'{${ids.join(",")}}'::uuid[]`);
}
