import { afterAll, beforeAll, expect, test } from "vitest";
import { changePoolTotal, listPools } from "#db/queries/fiat/fiat-pools.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { seedPools } from "./pairs.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("every pool begins funded, and a second start takes nothing away and adds nothing", async () => {
  await seedPools(database.db, new Date());
  const begun = await listPools(database.db);
  expect(begun.map(({ currency }) => currency)).toEqual(["EUR", "JPY", "KES", "KWD", "NGN", "PHP", "USD"]);
  for (const { totalMinor, minimumMinor, maximumMinor } of begun) expect(0n < minimumMinor && totalMinor < maximumMinor).toBe(true);
  await changePoolTotal(database.db, "KES", -1n, new Date());
  const before = await listPools(database.db);
  await seedPools(database.db, new Date());
  expect(await listPools(database.db)).toEqual(before);
});
