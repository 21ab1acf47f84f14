import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { allRoles } from "#db/application-role.ts";
import { type Database, openDatabase } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import { migrate } from "#db/migrate.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { startTemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import type { EvmDirectory, LapsingDirectory } from "#server/ports.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { auditLines } from "#server/services/ledger/audit-report.ts";
import { createCitusDatabase, dropCitusDatabase, startCitus } from "#testing/citus/cluster.ts";
import { startMachinePostgres } from "#testing/machine-postgres.ts";

export type BenchDatabase = {
  /** In the role that owns it. */ url: string;
  db: Database;
  sql: postgres.Sql;
  owner: postgres.Sql;
  /** Of its tables, where they are not whole. */
  layout?: Layout | undefined;
};

export type BenchServer = {
  /** A migrated database for one piece of work. */
  withDatabase<T>(work: (database: BenchDatabase) => Promise<T>): Promise<T>;
  /** Backs up the database as it is now; the returned function restores it under the same name. Both end all connections. */
  keepBackup(database: BenchDatabase): Promise<() => Promise<void>>;
  /** Which PostgreSQL it is: `PostgreSQL 15.14 (Debian 15.14-0+deb12u1)`. */
  version(): Promise<string>;
  /** The server's data directory, if this run has started it. */
  data?: string | undefined;
  stop(): Promise<void>;
};

/** The embedded PostgreSQL, or the machine's as it is installed, which can compile statements. */
export const POSTGRES_KINDS = ["embedded", "machine"] as const;
export type PostgresKind = (typeof POSTGRES_KINDS)[number];

/** A coordinator and two workers of Citus on this machine, with fsync, removed at the end. */
export async function startCitusBench(): Promise<BenchServer> {
  const { coordinator, nodes, stop } = await startCitus(true);
  return benchServerOn({ adminUrl: coordinator.adminUrl, stop }, { nodes });
}

/**
 * A separate PostgreSQL, with fsync, removed at the end; or the server in `BENCH_DATABASE_URL`, whose role may create databases and roles.
 * On the machine's, the work fails if the service's roles had a statement compiled. `settings` are PostgreSQL's, besides the usual ones.
 */
export async function startBenchServer(kind: PostgresKind, settings: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const external = process.env.BENCH_DATABASE_URL;
  if (external) return benchServerOn({ adminUrl: external, stop: async () => {} }, { dropRoles: true });
  if (kind === "embedded") return benchServerOn(await startTemporaryPostgres({ durable: true, settings: () => settings }));
  const server = await startMachinePostgres({ shared_preload_libraries: "pg_stat_statements", ...settings }, true);
  return benchServerOn(server, { superuserUrl: server.superuserUrl });
}

/** Counts the statements of a database, and which of them were compiled. */
async function countStatements(superuserUrl: string, database: string): Promise<(roles: readonly string[]) => Promise<void>> {
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  await withConnection(url.href, (sql) => sql`create extension pg_stat_statements`);
  return (roles) =>
    withConnection(url.href, async (sql) => {
      const compiled = await sql<{ query: string; functions: string }[]>`
        select query, jit_functions as functions from pg_stat_statements
        where jit_functions > 0 and userid in (select oid from pg_roles where rolname = any(${[...roles]}))`;
      const statements = compiled.map(({ query, functions }) => `${functions} functions: ${query.replaceAll(/\s+/g, " ").slice(0, 120)}`);
      if (statements.length > 0) throw new Error(`PostgreSQL compiled statements of the service:\n${statements.join("\n")}`);
    });
}

type Options = {
  dropRoles?: boolean;
  /** To count what is compiled. */
  superuserUrl?: string;
  /** The URLs of Citus's superusers, the coordinator's first: each database is on all of them. */
  nodes?: readonly string[];
};

/** The same on a server that somebody has started already; it stops with it. */
export function benchServerOn(
  server: { adminUrl: string; data?: string; stop(): Promise<void> },
  { dropRoles = false, superuserUrl, nodes = [] }: Options = {},
): BenchServer {
  const layout = nodes.length > 0 ? "citus" : undefined;
  const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} });
  return {
    data: server.data,
    async version() {
      const [row] = await admin<{ version: string }[]>`select version()`;
      return /^PostgreSQL \S+(?: \(.*?\))?/.exec(row?.version ?? "")?.[0] ?? "";
    },
    async withDatabase(work) {
      const name = `bench_${randomBytes(4).toString("hex")}`;
      if (nodes.length > 0) await createCitusDatabase(nodes, name);
      else await admin`create database ${admin(name)}`;
      const url = new URL(server.adminUrl);
      url.pathname = `/${name}`;
      const role = await migrate(url.href, undefined, layout);
      const judge = superuserUrl === undefined ? null : await countStatements(superuserUrl, name);
      const owner = postgres(url.href, { max: 1, onnotice: () => {} });
      const pool = openDatabase({ url: url.href, applicationName: "bench", maxConnections: 6, role, layout });
      try {
        const result = await work({ url: url.href, db: pool.db, sql: pool.sql, owner, layout });
        await judge?.(allRoles(name));
        return result;
      } finally {
        await pool.close();
        await owner.end({ timeout: 1 });
        if (nodes.length > 0) await dropCitusDatabase(nodes, name);
        else await drop(admin, name);
        if (dropRoles) await admin`drop role if exists ${admin(allRoles(name))}`;
      }
    },
    async keepBackup({ url }) {
      const name = new URL(url).pathname.slice(1);
      const kept = `${name}_kept`;
      const throwOut = (from: string) =>
        admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from} and backend_type = 'client backend'`;
      await throwOut(name);
      await admin`create database ${admin(kept)} template ${admin(name)}`;
      return async () => {
        await drop(admin, name);
        await throwOut(kept);
        await admin`create database ${admin(name)} template ${admin(kept)}`;
        await admin`drop database ${admin(kept)}`;
      };
    },
    async stop() {
      await admin.end({ timeout: 1 });
      await server.stop();
    },
  };
}

const SHOWN = 10;

/** The result of `npm run audit`. A violation is printed, and the run exits with 1. */
export async function proveBooks(
  { db }: BenchDatabase,
  proof: { evm?: EvmDirectory; lapsing?: LapsingDirectory; without?: readonly string[] } = {},
): Promise<string> {
  const { without = [], ...chains } = proof;
  const report = await auditDatabase({ db, ...chains }, { without });
  const lines = auditLines(report).filter((line) => !line.startsWith("✓"));
  if (report.violations > 0) process.exitCode = 1;
  return ["Audit at the end:", ...lines.slice(0, -1).slice(0, SHOWN), `${lines.at(-1)}.`].join(report.violations > 0 ? "\n" : " ");
}

const DROP_PATIENCE_MS = 60_000;
const INSUFFICIENT_PRIVILEGE = "42501";
const OBJECT_IN_USE = "55006";

/** Also while PostgreSQL vacuums in it by itself: only a superuser may end that by `force`, but a plain drop cancels it. */
async function drop(admin: postgres.Sql, name: string): Promise<void> {
  for (const deadline = Date.now() + DROP_PATIENCE_MS; ; await sleep(500)) {
    try {
      const isVacuumed = await admin`drop database ${admin(name)} with (force)`.then(() => false, refusedBy(INSUFFICIENT_PRIVILEGE));
      if (isVacuumed) await admin`drop database ${admin(name)}`;
      return;
    } catch (error) {
      if (Date.now() > deadline || !refusedBy(OBJECT_IN_USE)(error)) throw error;
    }
  }
}

/** Whether it is an error of that code. @throws any other one */
const refusedBy = (code: string) => (error: unknown) => {
  if (error instanceof postgres.PostgresError && error.code === code) return true;
  throw error;
};
