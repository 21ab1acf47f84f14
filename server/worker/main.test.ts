import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "#db/migrate.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { reconciliations } from "#db/schema/ledger.ts";
import { processes } from "#db/schema/processes.ts";
import { wallets } from "#db/schema/wallets.ts";
import { chainHeadsIn } from "#server/observe/snapshot.ts";
import { addSigningPartner, enqueueTestCallback, eventually, type SigningPartner } from "#testing/callbacks.ts";
import { startTestChain } from "#testing/chain.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { startRpcProxy } from "#testing/rpc-proxy.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { chainAt, forgetWorkers, killWorkers, readyWorker, startSigner, startWorker } from "#testing/worker-process.ts";

let database: TestDatabase;
let partner: SigningPartner;
let endpoint: Receiver;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  partner = await addSigningPartner(database.db);
  endpoint = await openReceiver();
});
afterEach(async () => {
  killWorkers();
  // PostgreSQL still executes what a killed worker had sent. Its heartbeat must not appear in the next test.
  await eventually(async () => ((await workerSessions()) === 0 ? true : null));
  await database.db.delete(processes);
});
afterAll(async () => {
  await endpoint.close();
  await database.close();
  forgetWorkers();
});

const stateOf = async (id: string) => (await database.db.select().from(callbacks).where(eq(callbacks.id, id)))[0]?.state;
const workerSessions = async () => {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity where datname = current_database() and application_name like 'settlement-%'`;
  return Number(row?.count);
};
const heartbeats = () => database.db.select().from(processes).where(eq(processes.kind, "worker"));

describe("the worker process", () => {
  it("does due work, says that it is alive, and on SIGTERM gives back what it holds and exits with 0", async () => {
    const worker = await readyWorker(database.url);
    // From the moment it reports ready: another worker may be stopped then, and one must have a heartbeat.
    expect(await heartbeats()).toHaveLength(1);
    const { id } = await enqueueTestCallback(database.db, partner, endpoint.origin);
    await eventually(async () => ((await stateOf(id)) === "delivered" ? true : null));
    const [recordHeartbeat] = await eventually(async () => ((await heartbeats()).length === 1 ? await heartbeats() : null));
    expect(Date.now() - Number(recordHeartbeat?.beatAt)).toBeLessThan(AT_ONCE_MS);
    expect(JSON.stringify(recordHeartbeat?.metrics)).toContain("settlement_callback_attempts_total");

    endpoint.answer = () => {};
    const hanging = await enqueueTestCallback(database.db, partner, endpoint.origin);
    await endpoint.received(2);
    const since = Date.now();
    worker.child.kill("SIGTERM");
    expect(await worker.exit).toBe(0);
    expect(Date.now() - since).toBeLessThan(AT_ONCE_MS);
    expect(await heartbeats()).toEqual([]);
    const [row] = await database.db.select().from(callbacks).where(eq(callbacks.id, hanging.id));
    expect(row).toMatchObject({ state: "pending", nextNumber: 1, leaseToken: null });
    for (const secret of [partner.apiSecret, partner.callbackSecret]) expect(worker.output()).not.toContain(secret);
    for (const line of worker.output().trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  });

  it("has reported its chains' state when it is ready: the others may be ended then, and readiness is judged by the living processes", async () => {
    const chain = await startTestChain();
    try {
      await readyWorker(database.url, chainAt(chain.rpcUrl));
      const [recordHeartbeat] = await heartbeats();
      expect(chainHeadsIn([{ metrics: recordHeartbeat?.metrics ?? [], beatAgeSeconds: 0 }], new Date())).toMatchObject([
        { chain: chain.chain },
      ]);
    } finally {
      await chain.stop();
    }
  });

  it("ends in good order on SIGTERM while its node says nothing, in the middle of a reconciliation, and leaves wallets to others", async () => {
    const chain = await startTestChain();
    const node = await startRpcProxy(chain.rpcUrl);
    try {
      startSigner(database.url, chainAt(node.url));
      const worker = await readyWorker(database.url, chainAt(node.url));
      await eventually(async () =>
        (await database.db.select().from(wallets)).some(({ leaseOwner }) => leaseOwner !== null) ? true : null,
      );
      await eventually(async () =>
        (await database.db.select().from(reconciliations)).some((row) => row.finishedAt !== null) ? true : null,
      );
      node.mishap = () => "stall";
      // As if the next day began, and with it a reconciliation, which calls the node.
      await database.db.delete(reconciliations);
      await database.sql.notify("due_work", "clock");
      await eventually(async () =>
        (await database.db.select().from(reconciliations)).some((row) => row.leaseToken !== null) ? true : null,
      );
      const since = Date.now();
      worker.child.kill("SIGTERM");
      expect(await worker.exit).toBe(0);
      expect(Date.now() - since).toBeLessThan(AT_ONCE_MS);
      expect(worker.output()).toContain("stops before a pass has ended");
      expect((await database.db.select().from(wallets)).filter(({ leaseOwner }) => leaseOwner !== null)).toEqual([]);
      expect(await heartbeats()).toEqual([]);
    } finally {
      await node.stop();
      await chain.stop();
    }
  });

  it("killed in the middle of an attempt costs seconds: another worker repeats it under its number", async () => {
    endpoint.answer = () => {};
    const before = endpoint.requests.length;
    const { id } = await enqueueTestCallback(database.db, partner, endpoint.origin);
    const first = await readyWorker(database.url);
    await eventually(async () => (endpoint.requests.slice(before).some((request) => request.headers["webhook-id"] === id) ? true : null));
    first.child.kill("SIGKILL");
    endpoint.answer = (_request, response) => response.end();
    await readyWorker(database.url);
    await eventually(async () => ((await stateOf(id)) === "delivered" ? true : null));
    const attempts = await database.db.select().from(callbackAttempts).where(eq(callbackAttempts.callbackId, id));
    expect(attempts.map(({ series, number }) => [series, number])).toEqual([[1, 1]]);
  });

  it("ends in good order when the process that started it is gone", async () => {
    const worker = await readyWorker(database.url);
    worker.child.disconnect();
    expect(await worker.exit).toBe(0);
  });

  it("says in one text what is wrong with its settings, and exits with 1", async () => {
    const worker = startWorker(database.url, { VAULT_KEYS: "nonsense" });
    expect(await worker.exit).toBe(1);
    expect(worker.output()).toMatch(/VAULT_KEYS/);
    expect(worker.output()).not.toMatch(/ at .*\.ts/);
  });
});
