import postgres from "postgres";
import { openDatabase } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import { migrate } from "#db/migrate.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { startTemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { citusPostgres, createCitusDatabase, inDatabase, startCitus } from "#testing/citus/cluster.ts";
import { MACHINE_INITDB } from "#testing/machine-postgres.ts";
import type { BenchDatabase } from "#testing/stage/database.ts";
import { lineOf, oneCall, WORK } from "./growth.ts";
import { table } from "./report.ts";
import { seedPartners } from "./seed.ts";

/** What one request does to its settlement. */
const CALLS = ["create", "get", "confirm"] as const;

/**
 * What the same call costs on a coordinator and two workers of Citus and on one PostgreSQL of the same build, all on this machine, one call
 * at a time, without HTTP, in turns. So it shows the work of the layer; what more machines give, it cannot show.
 */
export async function measureCitus(timings: { rounds: number; calls: number }): Promise<string> {
  const plain = await startTemporaryPostgres({ durable: true, other: { binaries: citusPostgres(), initdb: MACHINE_INITDB } });
  const cluster = await startCitus(true);
  try {
    await createCitusDatabase(cluster.nodes, "bench");
    await withConnection(plain.superuserUrl, (sql) => sql`create database bench owner tests`);
    return await withBench(inDatabase(plain.adminUrl, "bench"), "whole", (one) =>
      withBench(inDatabase(cluster.coordinator.adminUrl, "bench"), "citus", async (other) => {
        const lines: string[][] = [];
        for (const name of CALLS) {
          const [before, after] = await oneCall(WORK[name], [one, other], timings);
          if (before && after) lines.push(lineOf(name, before, after));
        }
        const head = ["one PostgreSQL", "Citus"].flatMap((layout) => [`ms, ${layout}`, "of it PostgreSQL's CPU"]);
        return `${await versionOf(other)}\n\n${table(["One call", ...head, "cost"], lines)}`;
      }),
    );
  } finally {
    await cluster.stop();
    await plain.stop();
  }
}

async function versionOf({ owner }: BenchDatabase): Promise<string> {
  const [row] = await owner<{ version: string }[]>`
    select format('Both are PostgreSQL %s, with Citus %s.', current_setting('server_version'), extversion) as version
    from pg_extension where extname = 'citus'`;
  return row?.version ?? "";
}

async function withBench<Result>(url: string, layout: Layout, work: (database: BenchDatabase) => Promise<Result>): Promise<Result> {
  const role = await migrate(url, undefined, layout);
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const pool = openDatabase({ url, applicationName: "bench", maxConnections: 6, role, layout });
  try {
    await seedPartners(owner);
    return await work({ url, db: pool.db, sql: pool.sql, owner });
  } finally {
    await pool.close();
    await owner.end({ timeout: 1 });
  }
}
