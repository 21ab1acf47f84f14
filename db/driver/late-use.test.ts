import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { partners } from "#db/schema/partners.ts";
import { transactionOf } from "#db/transaction.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { takeLateUses } from "#testing/late-use.ts";

let database: TestDatabase;
let owner: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = postgres(database.url, { max: 1 });
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

describe("a transaction's handle", () => {
  const write = (to: Database, n: string) => to.execute(sql`insert into after_end values (${n}::int)`);
  const kept = async () => (await owner<{ n: number }[]>`select n from after_end order by n`).map(({ n }) => n);
  const tooLate = { cause: { name: "TransactionEndedError" } };
  beforeAll(async () => {
    await owner`create table after_end (n int primary key)`;
    await owner`grant all on after_end to public`;
  });

  it.each([
    ["committed", async () => {}],
    [
      "been rolled back",
      async () => {
        throw new Error("refused");
      },
    ],
  ])("sends nothing any more once its transaction has %s, and says so", async (_end, last) => {
    let left: Database = database.db;
    await database.db
      .transaction(async (tx) => {
        left = tx;
        await last();
      })
      .catch(() => {});
    await expect(write(left, "1")).rejects.toMatchObject(tooLate);
    await expect(left.select().from(partners)).rejects.toMatchObject(tooLate);
    await expect(left.transaction((inner) => write(inner, "2"))).rejects.toThrow("has ended");
    expect(takeLateUses()).toHaveLength(3);
    expect(await kept()).toEqual([]);
  });

  it("sends nothing for the work that goes on when its neighbour in the transaction has failed", async () => {
    let goingOn: Promise<unknown> = Promise.resolve();
    const failing = database.db.transaction(async (tx) => {
      goingOn = new Promise(setImmediate).then(() => write(tx, "3"));
      goingOn.catch(() => {});
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    await expect(goingOn).rejects.toMatchObject(tooLate);
    expect(takeLateUses()).toHaveLength(1);
    expect(await kept()).toEqual([]);
  });

  it("ends with its savepoint, while the transaction goes on", async () => {
    await database.db.transaction(async (tx) => {
      let left: Database = tx;
      await tx.transaction(async (inner) => {
        left = inner;
      });
      await expect(write(left, "4")).rejects.toMatchObject(tooLate);
      await write(tx, "5");
    });
    expect(takeLateUses()).toHaveLength(1);
    expect(await kept()).toEqual([5]);
  });

  it("sends what was asked before the end within the transaction, though nothing waited for it", async () => {
    const refused = database.db.transaction(async (tx) => {
      void write(tx, "6").catch(() => {});
      throw new Error("refused");
    });
    await expect(refused).rejects.toThrow("refused");
    await database.db.transaction(async (tx) => void write(tx, "7").catch(() => {}));
    expect(await kept()).toEqual([5, 7]);
  });
});

describe("a transaction that is cancelled", () => {
  it("has the statement that runs ended by PostgreSQL, in a savepoint too, sends no other one, and keeps nothing", async () => {
    await owner`create table when_cancelled (n int)`;
    await owner`grant all on when_cancelled to public`;
    for (const inSavepoint of [false, true]) {
      const ends: unknown[] = [];
      const work = async (tx: Database) => {
        await tx.execute(sql`insert into when_cancelled values (1)`);
        await tx.execute(sql`select pg_sleep(30)`).catch((error) => ends.push(error));
        await tx.execute(sql`insert into when_cancelled values (2)`);
      };
      const cancelled = database.db.transaction(async (tx) => {
        setTimeout(() => transactionOf(tx)?.cancel(), 50);
        await (inSavepoint ? tx.transaction(work) : work(tx));
      });
      await expect(cancelled).rejects.toMatchObject({ cause: { name: "TransactionCancelledError" } });
      expect(ends).toMatchObject([{ cause: { code: "57014", message: "canceling statement due to user request" } }]);
    }
    expect(await owner`select n from when_cancelled`).toHaveLength(0);
    // The session is as good as before.
    expect(await database.db.execute(sql`select 1 as n`)).toEqual([{ n: 1 }]);
  });

  it("settles what was sent ahead of an answer, each by its own answer, and never waits for the session's end", async () => {
    // `first`: whether PostgreSQL can end the statement that runs, or only the one behind it.
    for (const first of ["select pg_sleep(20) as a", "select pg_sleep(0.3) as a"]) {
      const ends: unknown[] = [];
      const cancelled = database.db.transaction(async (tx) => {
        setTimeout(() => transactionOf(tx)?.cancel(), 100);
        const sent = [first, "select 2 as b", "select pg_sleep(20) as c", "select 4 as d"].map((text) => tx.execute(sql.raw(text)));
        ends.push(...(await Promise.allSettled(sent)));
        await tx.execute(sql`select 5`);
      });
      await expect(cancelled).rejects.toMatchObject({ cause: { name: "TransactionCancelledError" } });
      for (const [index, name] of ["a", "b", "c", "d"].entries()) {
        const end = ends[index] as PromiseSettledResult<Record<string, unknown>[]>;
        if (end.status === "fulfilled") expect(Object.keys(end.value[0] ?? {})).toEqual([name]);
      }
      expect(ends.filter((end) => (end as PromiseSettledResult<unknown>).status === "rejected").length).toBeGreaterThan(1);
    }
    expect(await database.db.execute(sql`select 1 as n`)).toEqual([{ n: 1 }]);
  });
});
