import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { applicationRole, partnerRole, serviceLogin } from "#db/application-role.ts";
import { type Database, openDatabase } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import { migrate } from "#db/migrate.ts";

export type TestDatabase = {
  /** As the role that owns the database: for what migrates or connects by itself. */
  url: string;
  /** A pool that works as the application's role. */
  db: Database;
  /** That role, for a separate pool. */
  role: string;
  /** The same pool's driver. */
  sql: postgres.Sql;
  /** Drops the database. */
  close(): Promise<void>;
};

/** A migrated, empty, separate database: a clone of the run's template. Call `close` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = inject("testServer");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(adminUrl, async (admin) => {
    await admin`create database ${admin(name)} template ${admin(template)}`;
  });
  return openTestDatabase(adminUrl, name, template);
}

/** An empty database in that layout (`db/layout.ts`), whatever the run's is. */
export async function createTestDatabaseIn(layout: Layout): Promise<TestDatabase> {
  const { adminUrl } = inject("testServer");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(adminUrl, async (admin) => void (await admin`create database ${admin(name)}`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await migrate(url.href, undefined, layout);
  return openTestDatabase(adminUrl, name, name);
}

/** A copy of the database as it is now: a backup. */
export async function copyTestDatabase(source: Pick<TestDatabase, "url">): Promise<TestDatabase> {
  const { adminUrl, template } = inject("testServer");
  const from = new URL(source.url).pathname.slice(1);
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(adminUrl, async (admin) => {
    // A template may have no connections; the pool opens new ones at its next use.
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from}`;
    await admin`create database ${admin(name)} template ${admin(from)}`;
  });
  return openTestDatabase(adminUrl, name, template);
}

function openTestDatabase(adminUrl: string, name: string, template: string): TestDatabase {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const role = applicationRole(template);
  const pool = openDatabase({ url: url.href, applicationName: "test", maxConnections: 8, role });
  const close = async () => {
    await pool.close();
    await administer(adminUrl, async (admin) => {
      await admin`drop database if exists ${admin(name)} with (force)`;
      // Made when something migrated the clone.
      const roles = [serviceLogin(name), partnerRole(applicationRole(name)), applicationRole(name)];
      await admin`drop role if exists ${admin(roles)}`;
    });
  };
  return { url: url.href, db: pool.db, role, sql: pool.sql, close };
}

async function administer(url: string, work: (admin: postgres.Sql) => Promise<void>): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(admin);
  } finally {
    await admin.end({ timeout: 1 });
  }
}
