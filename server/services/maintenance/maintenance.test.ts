import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { businessClock } from "#db/schema/business-clock.ts";
import { pausedReceivers } from "#db/schema/paused-receivers.ts";
import { users } from "#db/schema/people.ts";
import { processes } from "#db/schema/processes.ts";
import { exchangeRates } from "#db/schema/rates.ts";
import { decimal } from "#domain/decimal.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms } from "#testing/factories.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { assertLiveDatabase } from "./assert-fit-database.ts";
import { deregisterProcess, readVitals, recordHeartbeat } from "./read-vitals.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe("a heartbeat", () => {
  test("is renewed in place, shows its age by the database's clock, and is gone once the process has ended", async () => {
    const heartbeat = { id: "worker-1", kind: "worker", startedAt: new Date(), metrics: [{ name: "x" }] };
    await recordHeartbeat(database, heartbeat);
    await recordHeartbeat(database, { ...heartbeat, metrics: [{ name: "y" }] });
    const [only, ...others] = (await readVitals(database)).processes;
    expect(others).toEqual([]);
    expect(only).toMatchObject({ id: "worker-1", kind: "worker", metrics: [{ name: "y" }] });
    expect(only?.beatAgeSeconds).toBeLessThan(AT_ONCE_MS / 1_000);
    await deregisterProcess(database, "worker-1");
    expect((await readVitals(database)).processes).toEqual([]);
  });

  test("of a process that died long ago is forgotten", async () => {
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await database.db.insert(processes).values({ id: "dead", kind: "worker", startedAt: longAgo, beatAt: longAgo, metrics: [] });
    await recordHeartbeat(database, { id: "alive", kind: "worker", startedAt: new Date(), metrics: [] });
    expect(await database.db.select({ id: processes.id }).from(processes)).toEqual([{ id: "alive" }]);
  });
});

describe("the vitals", () => {
  test("name every pair that somebody may quote, with the age of its rate; a fixed one does not age", async () => {
    const asOf = new Date(Date.now() - 90_000);
    const rate = { destinationCurrency: "USDT", midRate: decimal("1"), source: "test", asOf };
    await database.db.insert(exchangeRates).values([
      { ...rate, sourceCurrency: "KES", staleAt: null },
      { ...rate, sourceCurrency: "USD", staleAt: new Date(Date.now() - 1_000) },
      { ...rate, sourceCurrency: "ZAR", staleAt: new Date(Date.now() - 1_000) },
    ]);
    const terms = (sourceCurrency: string, values = {}) => addTerms(database.db, { sourceCurrency, ...values });
    for (const currency of ["KES", "NGN", "USD"]) await terms(currency);
    const { partnerId } = await addPartner(database.db);
    await terms("EUR", { partnerId });
    // Disabled and withdrawn pairs need no rate.
    await terms("JPY", { enabled: false });
    await terms("GBP", { partnerId, withdrawn: true });
    expect((await readVitals(database)).rates).toEqual([
      { pair: "EUR/USDT", ageSeconds: null, fresh: false, staleSeconds: null, partnerIds: [partnerId] },
      { pair: "KES/USDT", ageSeconds: 0, fresh: true, staleSeconds: null, partnerIds: null },
      { pair: "NGN/USDT", ageSeconds: null, fresh: false, staleSeconds: null, partnerIds: null },
      { pair: "USD/USDT", ageSeconds: expect.closeTo(90, -1), fresh: false, staleSeconds: expect.closeTo(1, -1), partnerIds: null },
    ]);
  });

  test("show how long due work has waited, counting only what nobody works on", async () => {
    const insert = (id: string, dueIn: string, leaseIn: string | null) => database.sql`
      insert into transfers (id, purpose, owner_id, chain, currency, token_decimals, amount_base, recipient, state, waiting_reason, due_at, lease_until, created_at, updated_at)
      values (${id}, 'settlement', ${id}, 'eip155:1', 'USDT', 6, 1, '0x1', 'queued', ${id === "waits" ? "empty" : null},
        now() + ${dueIn}::interval, case when ${leaseIn}::text is null then null else now() + ${leaseIn}::interval end, now(), now())`;
    await insert("leased", "-300 seconds", "10 seconds");
    await insert("later", "300 seconds", null);
    expect((await readVitals(database)).backlogs).toContainEqual({ table: "transfers", open: 2, oldestDueSeconds: null });
    await insert("lease-lost", "-100 seconds", "-10 seconds");
    await insert("waits", "30 seconds", null);
    await insert("held", "30 seconds", null);
    await database.sql`update transfers set waiting_reason = 'named', waiting_kind = 'hold' where id = 'held'`;
    const vitals = await readVitals(database);
    expect(Math.round((vitals.backlogs.find((backlog) => backlog.table === "transfers")?.oldestDueSeconds ?? 0) / 10)).toBe(10);
    expect(vitals.openTransfers).toEqual([{ state: "queued", count: 5 }]);
    expect(vitals.waitingTransfers).toEqual([{ chain: "eip155:1", kind: null, reason: "empty", count: 1 }]);
  });

  test("count no callback to a paused receiver as late: it waits for people", async () => {
    const { partnerId, apiKeyId } = await addPartner(database.db);
    const insert = (id: string, origin: string, age: string) => database.sql`
      insert into callbacks (id, partner_id, subject_id, api_key_id, event, url, lane, body, state, series, next_number, due_at, created_at)
      values (${id}, ${partnerId}, ${id}, ${apiKeyId}, 'settlement.executed', ${`${origin}/x`}, ${`${partnerId} ${origin}`}, '{}', 'pending', 1, 1,
        now() - ${age}::interval, now())`;
    const late = async () => {
      const backlog = (await readVitals(database)).backlogs.find(({ table }) => table === "callbacks");
      return [backlog?.open, backlog?.oldestDueSeconds == null ? null : Math.round(backlog.oldestDueSeconds / 100)];
    };
    await insert("cb_1", "https://one.example", "3000 seconds");
    await insert("cb_2", "https://two.example", "2000 seconds");
    await insert("cb_3", "https://two.example:8443", "1000 seconds");
    expect(await late()).toEqual([3, 30]);
    const paused = { reason: "Being moved.", pausedAt: new Date(), actorType: "system", actorId: null };
    await database.db.insert(pausedReceivers).values({ ...paused, partnerId, origin: "https://one.example" });
    expect(await late()).toEqual([3, 20]);
    await database.db.insert(pausedReceivers).values({ ...paused, partnerId: null, origin: "https://two.example" });
    expect(await late()).toEqual([3, 10]);
    await database.db.insert(pausedReceivers).values({ ...paused, partnerId: null, origin: "https://two.example:8443" });
    expect(await late()).toEqual([3, null]);
  });
});

describe("a database that live mode may run on", () => {
  test("is one that no sandbox has used; everything found is said at once", async () => {
    const live = await createTestDatabase();
    try {
      await assertLiveDatabase(live);
      await live.db.insert(businessClock).values({ onlyRow: true, offsetMs: 0 });
      await expect(assertLiveDatabase(live)).rejects.toMatchObject({ problems: [expect.stringMatching(/clock/)] });
      await addTerms(live.db);
      await live.db
        .insert(exchangeRates)
        .values({ sourceCurrency: "KES", destinationCurrency: "USDT", midRate: decimal("1"), source: "fixed", asOf: new Date() });
      await live.db.insert(users).values({
        id: randomUUID(),
        email: "admin@sandbox.example",
        name: "A",
        passwordHash: "x",
        role: "admin",
        createdAt: new Date(),
      });
      await expect(assertLiveDatabase(live)).rejects.toMatchObject({
        problems: [/clock/, /development chain/, /fixed/, /demonstration/].map((part) => expect.stringMatching(part)),
      });
    } finally {
      await live.close();
    }
  });
});
