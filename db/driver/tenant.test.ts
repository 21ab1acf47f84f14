import { sql } from "drizzle-orm";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase, scopedTo } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";

let database: TestDatabase;
let pool: OpenDatabase;
let ours: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ours = (await addPartner(database.db)).partnerId;
  await addPartner(database.db);
});
afterAll(() => database.close());
beforeEach(() => {
  pool = openDatabase({ url: database.url, applicationName: "tenant", maxConnections: 2, role: database.role });
});
afterEach(() => pool.close());

/** What a partner's transaction sees. */
async function partnersSeen(): Promise<unknown[]> {
  return await scopedTo(pool.db, { of: "partner", id: ours }).transaction(async (tx) => {
    return (await tx.execute<{ id: string }>(sql`select id from partners`)).map(({ id }) => id);
  });
}

type Work = (tx: postgres.TransactionSql) => unknown;

describe("a partner's transaction, in which the driver", () => {
  it("sends the begin at once, sees the partner's rows alone", async () => {
    expect(await partnersSeen()).toEqual([ours]);
  });

  it("sends the begin later, is refused before it sees a row", async () => {
    const begin = pool.sql.begin.bind(pool.sql);
    const later = async (work: Work) => {
      await Promise.resolve();
      return await begin(work);
    };
    Object.assign(pool.sql, { begin: later });
    await expect(partnersSeen()).rejects.toThrow("not held to its partner");
  });

  it("begins in a way of its own, is refused before it sees a row, and leaves nothing for others to say", async () => {
    const other = openDatabase({ url: database.url, applicationName: "own way", maxConnections: 1, role: database.role });
    const { begin } = pool.sql;
    Object.assign(pool.sql, { begin: other.sql.begin });
    await expect(partnersSeen()).rejects.toThrow("not held to its partner");
    Object.assign(pool.sql, { begin });
    const everybodys = pool.db.transaction((tx) => tx.execute<{ count: number }>(sql`select count(*)::int as count from partners`));
    await expect(everybodys).resolves.toEqual([{ count: 2 }]);
    await other.close();
  });
});
