import { createServer, type Socket } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseTroubles } from "#contract/trouble.ts";
import { openDatabase } from "#db/client.ts";
import { insertHalt } from "#db/queries/halts/scope-halts.ts";
import { exchangeRates } from "#db/schema/rates.ts";
import { decimal } from "#domain/decimal.ts";
import { EVERYTHING_SCOPE } from "#domain/halt-scope.ts";
import { setChainHead } from "#server/observe/record.ts";
import { takeSnapshot } from "#server/observe/snapshot.ts";
import { recordHeartbeat } from "#server/services/maintenance/read-vitals.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, testChains } from "#testing/factories.ts";
import { noScreening } from "#testing/screening.ts";
import { answerTroubles } from "./troubles.ts";

let database: TestDatabase;
let other: string;
beforeAll(async () => {
  database = await createTestDatabase();
  // Every partner may quote the one pair, only one partner the other.
  await addTerms(database.db);
  other = (await addPartner(database.db)).partnerId;
  await addTerms(database.db, { partnerId: other, sourceCurrency: "EUR" });
});
afterAll(() => database.close());

const clock = { now: () => new Date() };
const OPERATOR = async () => ({ partnerId: null });
const PARTNER = async () => ({ partnerId: "p" });

async function troubles(who: () => Promise<{ partnerId: string | null } | null>, db = database.db) {
  const answer = await answerTroubles({ db, chains: testChains, clock, screener: noScreening }, who);
  return { status: answer.status, parts: parseTroubles(await answer.json()) ?? [] };
}

test("an operator reads each trouble with its words and since when; a partner that payments are delayed, and nothing of what is inside", async () => {
  const before = await troubles(OPERATOR);
  // The chain is not mentioned: without a worker nobody asks its nodes.
  expect(before.parts.map(({ part, detail, runbook }) => [part, detail, runbook])).toEqual([
    ["worker", "no worker has reported within the hour", "worker-down"],
    ["rates", "no rate for EUR/USDT, KES/USDT", "rates-stale"],
  ]);
  const ofPartner = { since: expect.any(String), runbook: null };
  const delayed = { part: "payments", name: "payments", detail: "", ...ofPartner };
  expect((await troubles(PARTNER)).parts).toEqual([delayed, { part: "rates", name: "rates", detail: "KES/USDT", ...ofPartner }]);
  expect((await troubles(async () => ({ partnerId: other }))).parts).toEqual([
    delayed,
    { part: "rates", name: "rates", detail: "EUR/USDT, KES/USDT", ...ofPartner },
  ]);
  expect(await troubles(async () => null)).toEqual({ status: 401, parts: [] });
});

test("what is over is no longer reported, and a halted scope is reported from the moment of its halt", async () => {
  setChainHead({ chain: "eip155:31337", node: "local", height: 12, lagSeconds: 1 });
  await recordHeartbeat(database, { id: "worker", kind: "worker", startedAt: new Date(), metrics: await takeSnapshot() });
  const rate = { sourceCurrency: "KES", destinationCurrency: "USDT", midRate: decimal("1"), source: "fixed" as const, asOf: new Date() };
  await database.db.insert(exchangeRates).values([rate, { ...rate, sourceCurrency: "EUR" }]);
  const since = new Date("2026-01-02T03:04:05.000Z");
  const scope = { kind: "provider", key: "bank" } as const;
  await insertHalt(database.db, { scope, cause: "operator", detail: "it is looked into", evidence: {}, haltedBy: null }, since);
  const halted = {
    part: "halt",
    name: expect.stringMatching(/^halt /),
    detail: "provider bank, stopped by an operator: it is looked into",
    runbook: "halts",
  };
  await expect.poll(async () => (await troubles(OPERATOR)).parts, { timeout: 30_000 }).toEqual([{ ...halted, since: since.toISOString() }]);
  expect((await troubles(PARTNER)).parts).toEqual([
    { part: "payments", name: "payments", detail: "", since: since.toISOString(), runbook: null },
  ]);
  await insertHalt(
    database.db,
    { scope: EVERYTHING_SCOPE, cause: "key_compromised", detail: "told by mail", evidence: {}, haltedBy: null },
    since,
  );
  const details = async () => (await troubles(OPERATOR)).parts.map(({ detail }) => detail);
  await expect.poll(details, { timeout: 30_000 }).toContain("all payments, the wallet's key is in other hands: told by mail");
});

test("a rate that is too old is reported since the moment at which it was, for the first who asks too", async () => {
  await recordHeartbeat(database, { id: "worker", kind: "worker", startedAt: new Date(), metrics: await takeSnapshot() });
  const staleAt = new Date(Date.now() - 90_000);
  const asOf = new Date(staleAt.getTime() - 120_000);
  await database.db.update(exchangeRates).set({ asOf, staleAt }).where(eq(exchangeRates.sourceCurrency, "KES"));
  const ofRates = async (who: Parameters<typeof troubles>[0] = OPERATOR) =>
    (await troubles(who)).parts.filter(({ part }) => part === "rates");
  await expect
    .poll(() => ofRates(), { timeout: 30_000 })
    .toMatchObject([{ detail: "the rate is too old for KES/USDT", runbook: "rates-stale" }]);
  for (const [rates] of [await ofRates(), await ofRates(async () => ({ partnerId: other }))])
    expect(Math.abs(Date.parse(rates?.since ?? "") - staleAt.getTime())).toBeLessThan(1_000);
  await database.db.update(exchangeRates).set({ asOf: new Date(), staleAt: null });
  await expect.poll(() => ofRates(), { timeout: 30_000 }).toEqual([]);
});

test("with a database that accepts and never answers, everybody who asks still learns that, and no more", async () => {
  const sockets: Socket[] = [];
  const hole = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
  const address = hole.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const hanging = openDatabase({ url: `postgres://nobody@127.0.0.1:${port}/none`, applicationName: "test", maxConnections: 1 });
  try {
    const asked = async () => (await troubles(() => new Promise(() => {}), hanging.db)).parts;
    await expect
      .poll(asked, { timeout: 30_000 })
      .toEqual([{ part: "database", name: "database", detail: "", since: expect.any(String), runbook: "database-away" }]);
  } finally {
    for (const socket of sockets) socket.destroy();
    hole.close();
    await hanging.sql.end({ timeout: 0 });
  }
});
