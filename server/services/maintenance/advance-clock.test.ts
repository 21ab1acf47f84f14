import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { By } from "#domain/access.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { advanceClock, readClock } from "./clock.ts";

const OPERATOR: By = { actor: { type: "operator_key", apiKeyId: randomUUID() }, requestId: null };
const YEAR = 31_536_000;
let database: TestDatabase;
const sandbox = () => ({ db: database.db, mode: "sandbox" as const });
const advance = (advanceSeconds: number) => advanceClock(sandbox(), { by: OPERATOR, advanceSeconds });

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe("the sandbox's clock", () => {
  test("begins with real time", async () => {
    const { now, offsetSeconds } = await readClock(sandbox());
    expect(offsetSeconds).toBe(0);
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(AT_ONCE_MS);
  });

  test("moves ahead by what is asked, for every connection at once, and answers the new time", async () => {
    const { now, offsetSeconds } = await advance(300);
    expect(offsetSeconds).toBe(300);
    expect(Math.abs(now.getTime() - Date.now() - 300_000)).toBeLessThan(AT_ONCE_MS);
    expect((await readBusinessNow(database.db)).getTime()).toBeGreaterThanOrEqual(now.getTime());
    expect(await readClock(sandbox())).toMatchObject({ offsetSeconds: 300 });
    expect((await advance(0)).offsetSeconds).toBe(300);
  });

  test("loses no move of many at once", async () => {
    const before = (await readClock(sandbox())).offsetSeconds;
    await Promise.all(Array.from({ length: 20 }, (_, index) => advance(index + 1)));
    expect((await readClock(sandbox())).offsetSeconds).toBe(before + 210);
  });

  test("wakes the workers once the move is committed", async () => {
    const heard: string[] = [];
    const { unlisten } = await database.sql.listen("due_work", (payload) => heard.push(payload));
    await advance(1);
    await expect.poll(() => heard).toEqual(["clock"]);
    await unlisten();
  });

  test("never goes back, and never further than makes sense", async () => {
    const before = (await readClock(sandbox())).offsetSeconds;
    for (const seconds of [-1, 0.5, YEAR + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(advance(seconds)).rejects.toMatchObject({
        code: "validation_failed",
        particulars: { errors: [{ pointer: "/advance_seconds" }] },
      });
    }
    expect((await readClock(sandbox())).offsetSeconds).toBe(before);
    await database.sql`update business_clock set offset_ms = ${99 * YEAR * 1_000}`;
    await expect(advance(YEAR)).resolves.toMatchObject({ offsetSeconds: 100 * YEAR });
    await expect(advance(1)).rejects.toMatchObject({ code: "validation_failed" });
  });

  test("does not exist in live mode and is an operator's alone", async () => {
    const live = { db: database.db, mode: "live" as const };
    await expect(advanceClock(live, { by: OPERATOR, advanceSeconds: 1 })).rejects.toMatchObject({ code: "route_not_found" });
    await expect(readClock(live)).rejects.toMatchObject({ code: "route_not_found" });
    const by: By = { actor: { type: "api_key", apiKeyId: randomUUID(), partnerId: randomUUID() }, requestId: null };
    await expect(advanceClock(sandbox(), { by, advanceSeconds: 1 })).rejects.toMatchObject({ code: "forbidden" });
  });
});
