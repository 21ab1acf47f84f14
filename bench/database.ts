import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { type Database, openDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { startTemporaryPostgres } from "#sandbox/postgres/temporary.ts";

export type BenchDatabase = {
  /** In the role that owns it. */ url: string;
  db: Database;
  sql: postgres.Sql;
  owner: postgres.Sql;
  close(): Promise<void>;
};

/**
 * A migrated database that nobody else uses: on a PostgreSQL of its own, thrown away at the end, or on the server in
 * `BENCH_DATABASE_URL`, whose role may create databases and roles.
 */
export async function openBenchDatabase(options: { durable?: boolean } = {}): Promise<BenchDatabase> {
  const external = process.env.BENCH_DATABASE_URL;
  const server = external ? { adminUrl: external, stop: async () => {} } : await startTemporaryPostgres(options);
  const name = `bench_${randomBytes(4).toString("hex")}`;
  const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} });
  await admin`create database ${admin(name)}`;
  const url = new URL(server.adminUrl);
  url.pathname = `/${name}`;
  const role = await migrate(url.href);
  const owner = postgres(url.href, { max: 1, onnotice: () => {} });
  const pool = openDatabase({ url: url.href, applicationName: "bench", maxConnections: 6, role });
  const close = async () => {
    await pool.close();
    await owner.end({ timeout: 1 });
    await admin`drop database ${admin(name)} with (force)`;
    if (external) await admin`drop role if exists ${admin(role)}`;
    await admin.end({ timeout: 1 });
    await server.stop();
  };
  return { url: url.href, db: pool.db, sql: pool.sql, owner, close };
}
