import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { createNaming } from "./named-statements.ts";

let database: TestDatabase;
let pool: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: "naming", maxConnections: 1 });
});
afterAll(async () => {
  await pool.close();
  await database.close();
});

const prepared = async (mark: string) =>
  (
    await pool.sql<
      { name: string }[]
    >`select name from pg_prepared_statements where statement like ${`%${mark}%`} and statement not like '%pg_prepared%'`
  ).length;

it("names a statement once it was sent three times, and sends it under that one name from then on", async () => {
  for (const [times, names] of [
    [2, 0],
    [1, 1],
    [5, 1],
  ] as const) {
    for (let time = 0; time < times; time += 1) await pool.db.execute(sql`select ${time}::int as often_asked`);
    expect(await prepared("often_asked")).toBe(names);
  }
});

it("names what transactions and their savepoints send as well", async () => {
  for (let time = 0; time < 4; time += 1) {
    await pool.db.transaction(async (tx) => {
      await tx.execute(sql`select ${time}::int as within_it`);
      await tx.transaction((savepoint) => savepoint.execute(sql`select ${time}::int as deep_within`));
    });
  }
  expect([await prepared("within_it"), await prepared("deep_within")]).toEqual([1, 1]);
});

it("names a query without parameters as well, and neither a command nor several", async () => {
  for (let time = 0; time < 4; time += 1) {
    await pool.db.execute(sql`select 1 as without_any`);
    await pool.db.execute(sql`set application_name = 'a_command'`);
    await pool.db.execute(sql`select 1 as the_first; select 2 as the_second`);
  }
  expect([await prepared("without_any"), await prepared("a_command"), await prepared("the_second")]).toEqual([1, 0, 0]);
});

it("names no more than so many, however many texts there are", () => {
  const isNamed = createNaming();
  const thrice = (text: string) => [isNamed(text), isNamed(text), isNamed(text)].at(-1);
  expect(Array.from({ length: 400 }, (_, index) => thrice(`select ${index}`)).filter(Boolean)).toHaveLength(256);
  expect(isNamed("select 0")).toBe(true);
});

it("lets no query queue behind another one that waits, though both have names", async () => {
  const two = openDatabase({ url: database.url, applicationName: "waiting", maxConnections: 2 });
  const nap = (milliseconds: number) => two.db.execute(sql`select pg_sleep(${milliseconds}::float / 1000)`);
  const ask = () => two.db.execute(sql`select ${1}::int as quick`);
  for (let time = 0; time < 10; time += 1) {
    await Promise.all([nap(1), nap(1)]);
    await Promise.all([ask(), ask()]);
  }
  const ended: string[] = [];
  const slow = [nap(3_000).then(() => ended.push("slow")), nap(100).then(() => ended.push("short"))];
  await Promise.all(Array.from({ length: 4 }, () => ask().then(() => ended.push("quick"))));
  await Promise.all(slow);
  expect(ended).toEqual(["short", "quick", "quick", "quick", "quick", "slow"]);
  await two.close();
});
