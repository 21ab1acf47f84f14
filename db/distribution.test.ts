import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { NoCitus } from "./citus.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION } from "./distribution.ts";
import { migrate } from "./migrate.ts";

let whole: TestDatabase;
beforeAll(async () => {
  whole = await createTestDatabase();
});
afterAll(() => whole.close());

const DISTRIBUTED = [...DISTRIBUTED_TABLES].sort();

it("cannot be Citus's where there is no Citus, which one sentence says", async () => {
  await expect(migrate(whole.url, undefined, "citus")).rejects.toThrow(NoCitus);
  await expect(migrate(whole.url, undefined, "citus")).rejects.toThrow("create extension citus");
});

describe("where each table's rows belong", () => {
  it("is said of every table of the schema, and of none that there is not", async () => {
    const found = await whole.sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`;
    expect(Object.keys(DISTRIBUTION).sort()).toEqual(found.map(({ name }) => name));
  });

  it("is with its partner of none that does not say which partner that is", async () => {
    const said = await whole.sql<{ name: string }[]>`
      select attrelid::regclass::text as name from pg_attribute where attname = 'partner_id' and attrelid::regclass::text = any(${DISTRIBUTED}) order by 1`;
    expect(said.map(({ name }) => name)).toEqual(DISTRIBUTED);
  });
});
