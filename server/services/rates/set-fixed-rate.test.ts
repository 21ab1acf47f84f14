import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { By } from "#domain/access.ts";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms } from "#testing/factories.ts";
import { readFreshRate } from "./read-rates.ts";
import { setFixedRate } from "./set-fixed-rate.ts";

const PAIR = { sourceCurrency: "KES", destinationCurrency: "USDT" };
const OPERATOR: By = { actor: { type: "operator_key", apiKeyId: randomUUID() }, requestId: null };
let database: TestDatabase;
const sandbox = () => ({ db: database.db, clock: { now: () => new Date() }, mode: "sandbox" as const });

beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
});
afterAll(() => database.close());

const set = (rate: string | null, by = OPERATOR) => setFixedRate(sandbox(), { ...PAIR, by, rate: rate === null ? null : decimal(rate) });

describe("a fixed rate", () => {
  test("is in force at once, exactly as it was given, until it is set again", async () => {
    await set("0.00773987654321098765");
    expect(formatDecimal((await readFreshRate(sandbox(), PAIR)).midRate)).toBe("0.00773987654321098765");
    await set("0.008");
    expect((await readFreshRate(sandbox(), PAIR)).source).toBe("fixed");
    expect(formatDecimal((await readFreshRate(sandbox(), PAIR)).midRate)).toBe("0.008");
  });

  test("of null takes the rate away, also twice, and another brings it back", async () => {
    for (let time = 0; time < 2; time += 1) await set(null);
    await expect(readFreshRate(sandbox(), PAIR)).rejects.toMatchObject({ code: "rate_unavailable" });
    await set("0.0077");
    expect(formatDecimal((await readFreshRate(sandbox(), PAIR)).midRate)).toBe("0.0077");
  });

  test("is not zero, not negative, not absurd, and for known currencies only", async () => {
    for (const rate of ["0", "-1", "1e-40", "1e20"]) await expect(set(rate)).rejects.toMatchObject({ code: "validation_failed" });
    const unknown = setFixedRate(sandbox(), { sourceCurrency: "EUR", destinationCurrency: "USDT", by: OPERATOR, rate: decimal("1") });
    await expect(unknown).rejects.toMatchObject({ code: "unsupported_pair" });
    expect(formatDecimal((await readFreshRate(sandbox(), PAIR)).midRate)).toBe("0.0077");
  });

  test("is refused in live mode and to anybody but an operator", async () => {
    const live = { ...sandbox(), mode: "live" as const };
    await expect(setFixedRate(live, { ...PAIR, by: OPERATOR, rate: decimal("1") })).rejects.toMatchObject({ code: "route_not_found" });
    const partner: By = { actor: { type: "api_key", apiKeyId: randomUUID(), partnerId: randomUUID() }, requestId: null };
    await expect(set("1", partner)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("leaves an audit entry", async () => {
    const rows = await database.sql`select action, object_id from audit_entries order by id`;
    expect(rows[0]).toEqual({ action: "exchange_rate.fixed", object_id: "KES/USDT" });
    expect(rows.filter((row) => row.action === "exchange_rate.removed")).toHaveLength(2);
  });
});
