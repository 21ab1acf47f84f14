import { afterAll, beforeAll, expect, it } from "vitest";
import { type CookieReader, consoleParts, consoleRequest, sessionOf } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { handleExport } from "./handle-export.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const INPUT = encodeURIComponent(JSON.stringify({ filter: {}, columns: ["tx_id"] }));

it("hands a person one file a second: the rest is 429 with Retry-After, and leaves no entry in the audit log", async () => {
  const ctx = testContext(database.db);
  const web = consoleParts(ctx, { callsPerSecond: 50, signInsPerSecond: 5 });
  const person = await addPerson(database.db, "admin");
  // Another session is still the same person.
  const cookies = [await sessionOf(ctx, person), await sessionOf(ctx, person)];
  const ask = async (index: number) => {
    const cookie = cookies[index % cookies.length] ?? (() => undefined);
    const response = await handleExport("settlements", web, consoleRequest(`/console/settlements/export?input=${INPUT}`), cookie);
    await response.text();
    return response;
  };
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index)));
  const most = 2 + Math.ceil((performance.now() - started) / 1_000);
  const given = answers.filter(({ status }) => status === 200).length;
  expect(given).toBeGreaterThan(0);
  expect(given).toBeLessThanOrEqual(most);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(30 - given);
  for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  const [row] =
    await database.sql`select count(*)::int as entries from audit_entries where actor_id = ${person.id} and action like '%export%'`;
  expect(row?.entries).toBe(given);
});

it("refuses an address that asks too much before its session is looked up", async () => {
  const web = consoleParts(testContext(database.db), { callsPerSecond: 1, signInsPerSecond: 5 });
  const ask = () => handleExport("audit", web, consoleRequest("/console/audit/export?input={}", {}, "10.9.9.9"), () => undefined);
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await ask()).status));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
});

it.each(["settlements", "batches", "audit", "orders", "resend_failures"] as const)(
  "hands %s to nobody without a session, without a second factor where one is due, or from another site's page",
  async (what) => {
    const strict = consoleParts({ ...testContext(database.db), entryRules: { requireTotpForDeciders: true } });
    const admin = await sessionOf(strict.ctx, await addPerson(database.db, "admin", null));
    const codeOf = async (cookie: CookieReader, init: RequestInit = {}) => {
      const response = await handleExport(what, strict, consoleRequest("/console/x?input={}", init), cookie);
      return (await response.json()).refusal.code;
    };
    const elsewhere = { headers: { origin: "https://elsewhere.example" } };
    expect([await codeOf(() => undefined), await codeOf(admin), await codeOf(admin, elsewhere)]).toEqual([
      "invalid_token",
      "enrolment_required",
      "forbidden",
    ]);
  },
);
