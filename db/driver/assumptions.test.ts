import { Column, getTableColumns, sql } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";
import type { PreparedQueryConfig } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { settlements } from "#db/schema/settlements.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";

/**
 * Undocumented behaviour of drizzle and the driver that `db` relies on. An upgrade that breaks it fails here first. `tenant.test.ts` covers
 * that the `begin` is sent at once, `late-use.test.ts` that a query is sent once it is executed.
 */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it("drizzle runs a text with its values through the session of a pool, a transaction and a savepoint (db/statement.ts)", async () => {
  const query = { sql: "select $1::int + 1 as sum", params: [1] };
  type Prepared = PreparedQueryConfig & { execute: { sum: number }[] };
  const run = ({ _: { session } }: typeof database.db) => session.prepareQuery<Prepared>(query, undefined, undefined, false).execute();
  expect([...(await run(database.db))]).toEqual([{ sum: 2 }]);
  await database.db.transaction(async (tx) => {
    expect([...(await run(tx))]).toEqual([{ sum: 2 }]);
    await tx.transaction(async (inner) => expect([...(await run(inner))]).toEqual([{ sum: 2 }]));
  });
});

it("drizzle names columns as its casing does, and leaves a column's value as it is where the column says nothing else (db/statement.ts)", () => {
  const columns = getTableColumns(settlements);
  expect(new CasingCache("snake_case").getColumnCasing(columns.externalTxId)).toBe("external_tx_id");
  expect(columns.externalTxId.mapFromDriverValue).toBe(Column.prototype.mapFromDriverValue);
  expect(columns.createdAt.mapFromDriverValue).not.toBe(Column.prototype.mapFromDriverValue);
});

it("drizzle asks a pool for nothing but `unsafe` and `begin` (db/driver/tenant.ts)", async () => {
  const driver = postgres(database.url, { max: 1 });
  const asked = new Set<PropertyKey>();
  const watched = new Proxy(driver, {
    get(target, name) {
      asked.add(name);
      return Reflect.get(target, name);
    },
  });
  const { drizzle } = await import("drizzle-orm/postgres-js");
  const db = drizzle(watched, { casing: "snake_case" });
  asked.clear();
  await db.execute(sql`select 1`);
  await db.transaction((tx) => tx.execute(sql`select 1`));
  await driver.end();
  expect([...asked].toSorted()).toEqual(["begin", "unsafe"]);
});
