import postgres from "postgres";
import { describe, expect, inject, it } from "vitest";
import { explainDatabase, firstCause, isEverybodys, unlessNodeAway } from "./trouble.ts";

const failing = async (send: (sql: postgres.TransactionSql) => readonly Promise<unknown>[]): Promise<unknown[]> => {
  const sql = postgres(inject("testServer").adminUrl, { max: 1, onnotice: () => {} });
  try {
    const errors: unknown[] = [];
    await sql
      .begin(async (tx) => {
        for (const end of await Promise.allSettled(send(tx))) if (end.status === "rejected") errors.push(end.reason);
        throw new Error("rolled back");
      })
      .catch(() => {});
    return errors;
  } finally {
    await sql.end();
  }
};

describe("why a statement failed", () => {
  it("is no trouble of everybody's, and not why it failed", async () => {
    const [began, behind] = await failing((tx) => [tx`select 1 / 0`.execute(), tx`select 2`.execute()]);
    expect(behind).toMatchObject({ code: "25P02" });
    expect(isEverybodys(behind)).toBe(false);
    // Whichever is read first.
    expect(firstCause([behind, began])).toBe(began);
    expect(firstCause([began, behind])).toBe(began);
    expect(firstCause([behind])).toBe(behind);
  });
});

it("that a node of Citus is away is the trouble of those whose rows it has, and an answer that needs it is null", async () => {
  const raising = (text: string) =>
    failing((tx) => [tx.unsafe(`do $$ begin raise exception '${text}' using errcode = '08006'; end $$`).execute()]);
  const [away] = await raising("connection to the remote node worker@10.0.0.2:5432 failed");
  const [inTheMiddle] = await raising("failure on connection marked as essential: 10.0.0.2:5432");
  const [own] = await raising("the connection failed");
  expect([isEverybodys(away), isEverybodys(inTheMiddle), isEverybodys(own)]).toEqual([false, false, true]);
  expect(await unlessNodeAway(Promise.reject(away))).toBe(null);
  await expect(unlessNodeAway(Promise.reject(own))).rejects.toBe(own);
  expect(explainDatabase(away, "DATABASE_URL")).toBe(
    "A node of Citus behind DATABASE_URL does not answer (connection to the remote node worker@10.0.0.2:5432 failed): start it, and try again.",
  );
});
