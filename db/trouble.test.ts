import postgres from "postgres";
import { describe, expect, inject, it } from "vitest";
import { firstCause, isEverybodys } from "./trouble.ts";

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
