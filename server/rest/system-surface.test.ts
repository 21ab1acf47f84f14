import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { exchangeRates } from "#db/schema/rates.ts";
import { decimal } from "#domain/decimal.ts";
import { setChainHead } from "#server/observe/record.ts";
import { takeSnapshot } from "#server/observe/snapshot.ts";
import { recordHeartbeat } from "#server/services/maintenance/read-vitals.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, testChains } from "#testing/factories.ts";
import { noScreening } from "#testing/screening.ts";
import { answerHealth, answerMetrics, answerReady } from "./system-surface.ts";

const SANDBOX = { mode: "sandbox", metricsToken: null } as const;
const clock = { now: () => new Date() };
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
});
afterAll(() => database.close());

const ready = async (db = database.db) => {
  const answer = await answerReady({ db, chains: testChains, clock, screener: noScreening }, SANDBOX, new Headers());
  return { status: answer.status, ...(await answer.json()) };
};

describe("/ready", () => {
  test("is 503 and names the parts that are missing, and 200 once they are there", async () => {
    const before = await ready();
    expect(before.status).toBe(503);
    expect(before.checks).toMatchObject({
      database: { ok: true },
      worker: { ok: false },
      "chain eip155:31337": { ok: false },
      rates: { ok: false, detail: "no rate for KES/USDT" },
    });

    setChainHead({ chain: "eip155:31337", node: "local", height: 12, lagSeconds: 1 });
    await recordHeartbeat(database, { id: "worker", kind: "worker", startedAt: new Date(), metrics: await takeSnapshot() });
    await database.db
      .insert(exchangeRates)
      .values({ sourceCurrency: "KES", destinationCurrency: "USDT", midRate: decimal("1"), source: "fixed", asOf: new Date() });
    const after = await ready();
    expect(after).toMatchObject({ status: 200, ready: true });
    expect(after.checks["chain eip155:31337"].detail).toContain("head 12");
    // Another pair is enabled, and has no rate.
    await addTerms(database.db, { sourceCurrency: "NGN" });
    expect(await ready()).toMatchObject({ status: 503, checks: { rates: { ok: false, detail: "no rate for NGN/USDT" } } });
  });

  test("in live mode shows everybody which parts fail, and why only to a holder of the token", async () => {
    const live = { mode: "live", metricsToken: "tZ9-paper-lantern-4" } as const;
    const ask = async (headers: HeadersInit) =>
      (await answerReady({ db: database.db, chains: testChains, clock, screener: noScreening }, live, new Headers(headers))).json();
    expect((await ask({})).checks.database).toEqual({ ok: true });
    expect((await ask({ authorization: "Bearer tZ9-paper-lantern-4" })).checks.database.detail).toContain("answered");
  });
});

describe("/metrics", () => {
  test("in live mode needs the token, and is closed without one", async () => {
    const status = async (metricsToken: string | null, authorization?: string) =>
      (
        await answerMetrics(
          { ...database, screener: noScreening },
          { mode: "live", metricsToken },
          new Headers(authorization ? { authorization } : {}),
        )
      ).status;
    expect(await status(null)).toBe(401);
    expect(await status(null, "Bearer null")).toBe(401);
    expect(await status("tZ9-paper-lantern-4")).toBe(401);
    expect(await status("tZ9-paper-lantern-4", "Bearer tZ9-paper-lantern-5")).toBe(401);
    expect(await status("tZ9-paper-lantern-4", "Bearer tZ9-paper-lantern-4")).toBe(200);
  });

  test("shows the figures of the web process, the worker and the database in one text", async () => {
    const text = await (await answerMetrics({ ...database, screener: noScreening }, SANDBOX, new Headers())).text();
    for (const part of [
      "settlement_database_up 1",
      'settlement_process_up{process="worker"} 1',
      "settlement_chain_head_height",
      'process_resident_memory_bytes{process="web"}',
    ]) {
      expect(text).toContain(part);
    }
  });
});

test("with a database that accepts and never answers, /ready is 503 and /metrics says so before the driver gives up, and /health stays 200", async () => {
  const sockets: Socket[] = [];
  const hole = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
  const address = hole.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const hanging = openDatabase({ url: `postgres://nobody@127.0.0.1:${port}/none`, applicationName: "test", maxConnections: 1 });
  try {
    const answering = Promise.all([ready(hanging.db), answerMetrics({ ...hanging, screener: noScreening }, SANDBOX, new Headers())]);
    const drivers = hanging.sql`select 1`.then(
      () => "driver",
      () => "driver",
    );
    expect(await Promise.race([drivers, answering.then(() => "answers")])).toBe("answers");
    const [answer, figures] = await answering;
    expect(answer).toMatchObject({ status: 503, ready: false, checks: { database: { ok: false } } });
    expect(await figures.text()).toContain("settlement_database_up 0");
    expect(answerHealth().status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
    hole.close();
    await hanging.sql.end({ timeout: 0 });
  }
});
