import { inject } from "vitest";
import { CITUS_TABLES } from "#db/citus-tables.ts";
import { DISTRIBUTED_TABLES } from "#db/distribution.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import type { TestDatabase } from "#testing/database.ts";
import { inDatabase } from "./cluster.ts";

const NAMES_DISTRIBUTED = new RegExp(`\\b(${[...DISTRIBUTED_TABLES, ...Object.keys(CITUS_TABLES)].join("|")})\\b`);

/** What Citus itself says of the statements of a test's database: whether one went to the node of one partner, or to more. */
export function watchStatements({ url }: Pick<TestDatabase, "url">) {
  const [coordinator = ""] = inject("testServer").nodes;
  const at = inDatabase(coordinator, new URL(url).pathname.slice(1));
  return {
    /** Forgets what ran before. */
    async begin(): Promise<void> {
      await withConnection(at, async (sql) => {
        await sql`create extension if not exists pg_stat_statements`;
        await sql`select pg_stat_statements_reset(), citus_stat_statements_reset()`;
      });
    },
    /** Statements on distributed tables that Citus did not send to one partner's node. Those on reference tables alone stay on the coordinator. */
    async unrouted(): Promise<string[]> {
      return await withConnection(at, async (sql) => {
        const rows = await sql<{ text: string }[]>`
          select distinct query as text from citus_stat_statements where partition_key is null and executor = 'adaptive'
            and dbid = (select oid from pg_database where datname = current_database())`;
        const texts = rows.map(({ text }) => text.replaceAll(/\s+/g, " ").replaceAll('"', "").trim());
        return texts.filter((text) => NAMES_DISTRIBUTED.test(text)).sort();
      });
    },
  };
}
