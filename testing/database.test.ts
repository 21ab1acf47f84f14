import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "#db/migrate.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("a test works as the application's role, which owns nothing", async () => {
  const rows = await database.db.execute<{ current_user: string; session_user: string }>(sql`select current_user, session_user`);
  expect(rows[0]?.current_user).toMatch(/_app$/);
  expect(rows[0]?.current_user).not.toBe(rows[0]?.session_user);
  await expect(database.sql`create table forbidden (id int)`).rejects.toThrow(/permission denied/);
  await expect(database.sql`delete from audit_entries`).rejects.toThrow(/permission denied/);
});

test("a clone has the whole schema and may be migrated again", async () => {
  const tables = await database.sql`select 1 from pg_tables where schemaname = 'public' and tablename = 'settlements'`;
  expect(tables).toHaveLength(1);
  await expect(migrate(database.url)).resolves.toMatch(/_app$/);
});

test("two databases do not see each other", async () => {
  const other = await createTestDatabase();
  try {
    const [mine] = await database.sql`select current_database() as name`;
    const [theirs] = await other.sql`select current_database() as name`;
    expect(mine?.name).not.toBe(theirs?.name);
  } finally {
    await other.close();
  }
});
