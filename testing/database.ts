import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { allRoles, applicationRole, type ProcessKind, processRole } from "#db/application-role.ts";
import { type Database, openDatabase } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import { closeCitusDatabase, copyCitusDatabase, dropCitusDatabase, reopenCitusDatabase } from "./citus/cluster.ts";

export type TestDatabase = {
  /** As the role that owns the database: for what migrates or connects by itself. */
  url: string;
  /** A pool that may do what any process may: for what a test lays out and looks at. */
  db: Database;
  /** Its role, for a separate pool. */
  role: string;
  /** Pools that work as the processes do. What runs in a test as the service runs on these (`processOf`). */
  web: Database;
  worker: Database;
  /** The role of a web process, for a separate pool. */
  webRole: string;
  /** Of its tables, for a separate pool. */
  layout?: Layout;
  /** The same pool's driver. */
  sql: postgres.Sql;
  /** Drops the database. */
  close(): Promise<void>;
};

const ADMIN_IDLE_SECONDS = 5;

/** A migrated, empty, separate database: a clone of the run's template. Call `close` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, superuserUrl, template, nodes } = inject("testServer");
  if (nodes.length > 0) {
    const copy = `test_${randomBytes(6).toString("hex")}`;
    await copyCitusDatabase(nodes, template, copy);
    return openTestDatabase(adminUrl, copy, template);
  }
  // Copied files take half the time where nothing is made durable.
  const strategy = superuserUrl === null ? "wal_log" : "file_copy";
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(adminUrl, async (admin) => {
    await admin`create database ${admin(name)} template ${admin(template)} strategy ${admin(strategy)}`;
  });
  return openTestDatabase(adminUrl, name, template);
}

/** A copy of the database as it is now: a backup. */
export async function copyTestDatabase(source: Pick<TestDatabase, "url">): Promise<TestDatabase> {
  const { adminUrl, template, nodes } = inject("testServer");
  const from = new URL(source.url).pathname.slice(1);
  const name = `test_${randomBytes(6).toString("hex")}`;
  if (nodes.length > 0) {
    await closeCitusDatabase(nodes, from);
    await copyCitusDatabase(nodes, from, name);
    await reopenCitusDatabase(nodes, from);
    return openTestDatabase(adminUrl, name, template);
  }
  await administer(adminUrl, async (admin) => {
    // A template may have no connections; the pool opens new ones at its next use.
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from} and backend_type = 'client backend'`;
    await admin`create database ${admin(name)} template ${admin(from)}`;
  });
  return openTestDatabase(adminUrl, name, template);
}

/** `layout`: of the tables; `nodes`: of Citus, whose database of that name is dropped at the end. */
type Where = { layout: Layout; nodes: readonly string[] };

/** An existing database, in the roles that were made for `template`. `where`: if that is not where the run's are. */
export function openTestDatabase(adminUrl: string, name: string, template: string, where: Where = whereRunIs()): TestDatabase {
  const { layout, nodes } = where;
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const role = applicationRole(template);
  const webRole = processRole(template, "web");
  const open = (as: string) => openDatabase({ url: url.href, applicationName: "test", maxConnections: 8, role: as, layout });
  const [pool, web, worker, signer] = [
    open(role),
    open(webRole),
    open(processRole(template, "worker")),
    open(processRole(template, "signer")),
  ];
  PROCESSES.set(pool.db, { web: web.db, worker: worker.db, signer: signer.db });
  const close = async () => {
    await Promise.all([pool, web, worker, signer].map((each) => each.close()));
    if (nodes.length > 0) return await dropCitusDatabase(nodes, name);
    await administer(adminUrl, async (admin) => {
      await admin`drop database if exists ${admin(name)} with (force)`;
      // Made when something migrated the clone.
      await admin`drop role if exists ${admin(allRoles(name))}`;
    });
  };
  return { url: url.href, db: pool.db, role, sql: pool.sql, web: web.db, worker: worker.db, webRole, layout, close };
}

function whereRunIs(): Where {
  const { nodes } = inject("testServer");
  return { layout: nodes.length > 0 ? "citus" : "whole", nodes };
}

const PROCESSES = new WeakMap<Database, Record<ProcessKind, Database>>();

/** The same database as a process of that kind works with it. A pool that is not a test's own stays what it is. */
export function processOf(db: Database, kind: ProcessKind): Database {
  return PROCESSES.get(db)?.[kind] ?? db;
}

/** One connection of this process: opening it takes a third of what it takes to make and drop a database. It closes when it is idle. */
let administrator: { url: string; sql: postgres.Sql } | null = null;

async function administer(url: string, work: (admin: postgres.Sql) => Promise<void>): Promise<void> {
  if (administrator?.url !== url)
    administrator = { url, sql: postgres(url, { max: 1, idle_timeout: ADMIN_IDLE_SECONDS, onnotice: () => {} }) };
  await work(administrator.sql);
}
