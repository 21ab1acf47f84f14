import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { batched } from "./batched.ts";
import type { Database } from "./client.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const owner = postgres(database.url, { max: 1 });
  await owner`create table counted (number int check (number < 1000))`;
  await owner`grant all on counted to public`;
  await owner.end();
});
afterAll(() => database.close());

/** Doubles numbers, and records which were asked together. */
function doubling() {
  const groups: number[][] = [];
  const double = batched(
    (asked: number) => (asked % 2 === 0 ? "even" : "odd"),
    async (db: Database, asked) => {
      groups.push([...asked]);
      const rows = await db.execute<{ number: number }>(sql`
        with given as (select value::int as number, n from jsonb_array_elements_text(${JSON.stringify(asked)}::jsonb) with ordinality as g(value, n)),
        kept as (insert into counted select number from given)
        select number * 2 as number from given order by n`);
      return rows.map(({ number }) => number);
    },
  );
  return { groups, double };
}
const kept = async () => (await database.sql`delete from counted returning number`).map(({ number }) => number).sort((a, b) => a - b);

describe("a question that many ask at the same time", () => {
  it("is one statement for each batch key on a pool, and each gets its own answer", async () => {
    const { groups, double } = doubling();
    const asked = [1, 2, 3, 4, 5, 6, 7];
    expect(await Promise.all(asked.map((number) => double(database.db, number)))).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(groups).toEqual([
      [1, 3, 5, 7],
      [2, 4, 6],
    ]);
    expect(await kept()).toEqual(asked);
  });

  it("waits while two of its batch key are under way, and then goes together", async () => {
    const { groups, double } = doubling();
    const turns: Promise<number>[] = [];
    for (let number = 1; number <= 21; number += 2) {
      turns.push(double(database.db, number));
      await new Promise(setImmediate);
    }
    await Promise.all(turns);
    expect(groups.length).toBeLessThan(turns.length);
    expect(groups.flat().sort((a, b) => a - b)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21]);
    await kept();
  });

  it("fails for the one alone whose data is refused", async () => {
    const { double } = doubling();
    const settled = await Promise.allSettled([1, 1001, 3].map((number) => double(database.db, number)));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await kept()).toEqual([1, 3]);
  });

  it("is asked at once and alone in a transaction of one's own", async () => {
    const { groups, double } = doubling();
    await database.db.transaction((tx) => Promise.all([1, 3].map((number) => double(tx, number))));
    expect(groups).toEqual([[1], [3]]);
    await kept();
  });

  it("does not make later ones wait for those of a failed batch that are sent alone", async () => {
    // Without it, a queue stops to wait for a group after a while.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const hanging = Promise.withResolvers<readonly string[]>();
    const ask = batched(
      () => "",
      async (_: Database, asked: readonly string[]) => {
        if (asked.length === 1 && asked[0]?.startsWith("held")) return await hanging.promise;
        if (asked.some((each) => each.startsWith("held"))) throw new Error("one of them is held");
        return asked;
      },
    );
    try {
      for (const turn of ["a", "b"]) {
        const other = ask(database.db, `free ${turn}`);
        const held = ask(database.db, `held ${turn}`);
        expect(await other).toBe(`free ${turn}`);
        void held.catch(() => {});
      }
      expect(await ask(database.db, "later")).toBe("later");
    } finally {
      hanging.resolve([""]);
      vi.useRealTimers();
    }
  });
});
