import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readDatabaseFacts } from "#db/queries/maintenance/database-facts.ts";
import { ROOT } from "#scripts/suites.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const doctor = (...args: readonly string[]) => spawnSync(process.execPath, ["scripts/doctor.ts", ...args], { cwd: ROOT, encoding: "utf8" });

it("examines a database by its URL alone, and exits by the worst finding", async () => {
  const owner = postgres(database.url, { max: 1 });
  try {
    const name = owner(new URL(database.url).pathname.slice(1));
    await owner`alter database ${name} set jit = off`;
    const before = JSON.parse(doctor("--database", database.url, "--json").stdout) as { subject: string; level: string }[];
    expect(before.find(({ subject }) => subject === "jit")).toMatchObject({ level: "ok" });
    expect(before.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(["version", "durability", "clock", "wraparound", "archive"]),
    );
    await owner`alter database ${name} set jit = on`;
    const after = doctor("--database", database.url);
    expect(after.stdout).toContain("✗ jit: jit is on");
    expect(after.stdout).toContain("npm run migrate");
    expect(after.status).toBe(2);
  } finally {
    await owner.end();
  }
});

it.each([
  ["locale_provider libc lc_collate 'C'", true],
  ["locale_provider libc lc_collate 'C.UTF-8'", false],
  ["locale_provider icu icu_locale 'en'", false],
  ["locale_provider icu icu_locale 'da'", false],
])("knows whether an index serves prefixes, and whether ids sort by their time, in a database with %s", async (locale, serves) => {
  const name = `collation_${randomBytes(4).toString("hex")}`;
  const admin = postgres(database.url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name} template template0 ${locale}`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const other = postgres(url.href, { max: 1, connection: { enable_seqscan: "off" } });
  try {
    await other`create table texts as select 'order-' || n as text from generate_series(1, 100) as n`;
    await other`create index on texts (text)`;
    const plan = await other<{ "QUERY PLAN": string }[]>`explain select 1 from texts where text like 'order-7%'`;
    expect(plan.some((row) => row["QUERY PLAN"].includes("Index Cond"))).toBe(serves);
    const facts = await readDatabaseFacts(drizzle(other));
    expect(facts.collation).toMatchObject({ servesPrefixes: serves, sortsIds: !locale.endsWith("'da'") });
  } finally {
    await other.end();
    await admin.unsafe(`drop database ${name}`);
    await admin.end();
  }
});

it("says in one sentence that a database does not answer", () => {
  const { status, stderr } = doctor("--database", "postgres://nobody@127.0.0.1:1/none");
  expect([status, stderr.trim().split("\n")]).toEqual([2, [expect.stringMatching(/does not answer \(connect ECONNREFUSED/)]]);
});
