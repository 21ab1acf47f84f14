import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { wakeWorkers } from "./wake-workers.ts";

let database: TestDatabase;
const heard: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.listen("due_work", (payload) => void heard.push(payload));
});
afterAll(() => database.close());
/** One that is sent behind the others is heard behind them. */
async function heardUntilNow(): Promise<string[]> {
  await database.sql.notify("due_work", "last");
  await vi.waitFor(() => expect(heard).toContain("last"));
  return heard.splice(0).filter((payload) => payload !== "last");
}

describe("workers", () => {
  it("are woken once the transaction has committed, however often it asked, and not by one that is rolled back", async () => {
    await database.db.transaction(async (tx) => {
      for (let time = 0; time < 3; time += 1) await wakeWorkers(tx, "transfers");
      expect(await heardUntilNow()).toEqual([]);
    });
    await vi.waitFor(() => expect(heard).toEqual(["transfers"]));
    heard.length = 0;
    const failing = database.db.transaction(async (tx) => {
      await wakeWorkers(tx, "transfers");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await heardUntilNow()).toEqual([]);
  });

  it("are woken with the commit out of a savepoint, and at once where there is no transaction", async () => {
    await database.db.transaction((tx) => tx.transaction((inner) => wakeWorkers(inner, "transfers")));
    await wakeWorkers(database.db, "transfers");
    expect(await heardUntilNow()).toEqual(["transfers", "transfers"]);
  });

  it("make no commit wait for another's: a hundred at once lock nothing that all of them want", async () => {
    let waited = 0;
    const looking = setInterval(async () => {
      const [row] = await database.sql<{ count: string }[]>`
        select count(*) as count from pg_locks where locktype = 'object' and database = 0 and not granted`;
      waited += Number(row?.count ?? 0);
    }, 5);
    const work = () =>
      database.db.transaction(async (tx) => {
        await tx.execute(sql`insert into nonces (api_key_id, nonce, burnt_at) values (gen_random_uuid(), gen_random_uuid(), now())`);
        await wakeWorkers(tx, "transfers");
      });
    await Promise.all(Array.from({ length: 100 }, work));
    clearInterval(looking);
    expect(await heardUntilNow()).toContain("transfers");
    // Those who only wake may stand behind each other for a moment.
    expect(waited).toBeLessThan(3);
  });
});
