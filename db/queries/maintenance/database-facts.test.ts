import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { readDatabaseFacts } from "./database-facts.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it("a log-in that may not see what others do counts their connections too", async () => {
  const owner = postgres(database.url, { max: 8 });
  await Promise.all(Array.from({ length: 8 }, () => owner`select pg_sleep(0.05)`));
  const { used, most } = (await readDatabaseFacts(database.web)).connections;
  // The owner's, and its own. Other tests come and go on the same server.
  expect(used).toBeGreaterThanOrEqual(9);
  expect(most).toBeGreaterThan(used);
  await owner.end();
});
