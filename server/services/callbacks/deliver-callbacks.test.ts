import { createHmac, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { insertAttempts } from "#db/queries/callback-attempts.ts";
import { claimDueCallbacks, settleAttempts } from "#db/queries/due-callbacks.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { newId } from "#server/domain/ids.ts";
import type { CallbackSender } from "#server/ports.ts";
import {
  addCallbackSecret,
  addSigningPartner,
  eventually,
  localSender,
  moveClockTo,
  oweCallback,
  type SigningPartner,
  startDelivery,
  type TestWorker,
  testVault,
} from "#server/testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";
import { setClockOffset } from "#server/testing/factories.ts";
import { openReceiver, type ReceivedRequest, type Receiver } from "#server/testing/receiver.ts";

let database: TestDatabase;
let partner: SigningPartner;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await database.sql`delete from callback_attempts`;
  await database.sql`delete from callbacks`;
  await setClockOffset(database.db, 0);
});

function work(options: Parameters<typeof startDelivery>[1] = {}): TestWorker {
  const worker = startDelivery(database, options);
  closing.unshift(() => worker.stop());
  return worker;
}

async function receiver(answer?: Receiver["answer"]): Promise<Receiver> {
  const opened = await openReceiver(answer);
  closing.push(() => opened.close());
  return opened;
}

async function rowOf(id: string) {
  const [row] = await database.db.select().from(callbacks).where(eq(callbacks.id, id));
  if (!row) throw new Error("no such callback");
  return row;
}

function attemptsOf(id: string) {
  return database.db
    .select()
    .from(callbackAttempts)
    .where(eq(callbackAttempts.callbackId, id))
    .orderBy(callbackAttempts.series, callbackAttempts.number);
}

/** Waits until the callback is no longer in flight before attempt `number`. */
function settled(id: string, number: number) {
  return eventually(async () => {
    const row = await rowOf(id);
    const over = row.nextNumber > number || row.state !== "pending";
    return over && row.leaseToken === null ? row : null;
  });
}

describe("the delivery of callbacks", () => {
  beforeAll(async () => {
    partner = await addSigningPartner(database.db);
  });

  it("delivers at once, with any 2xx, and once", async () => {
    const endpoint = await receiver((_request, response) => response.writeHead(204).end());
    work();
    const { id } = await oweCallback(database.db, partner, `${endpoint.origin}/hook`);
    const row = await settled(id, 1);
    expect(row).toMatchObject({ state: "delivered", dueAt: null, undeliveredAt: null, nextNumber: 1 });
    const [attempt, ...more] = await attemptsOf(id);
    expect(more).toEqual([]);
    expect(attempt).toMatchObject({ series: 1, number: 1, responseStatus: 204, error: null, errorKind: null, remoteAddress: "127.0.0.1" });
    expect(row.deliveredAt).toEqual(attempt?.endedAt);
    await moveClockTo(database.db, new Date(Date.now() + 86_400_000));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(endpoint.requests).toHaveLength(1);
  });

  it("makes six attempts, each its exact delay after the end of the one before, with the same id and bytes, then gives up", async () => {
    const endpoint = await receiver((_request, response) => response.writeHead(500, { "x-why": "broken" }).end("sorry"));
    work();
    const body = '{"tx_id":"tx_1","destination_amount":7.65,"note":"é€😀"}';
    const { id } = await oweCallback(database.db, partner, endpoint.origin, { body });
    let due = (await rowOf(id)).createdAt;
    for (const [index, delay] of [60, 300, 1_800, 7_200, 43_200].entries()) {
      const number = index + 1;
      const row = await settled(id, number);
      const attempt = (await attemptsOf(id))[index];
      expect(attempt).toMatchObject({
        number,
        scheduledAt: due,
        responseStatus: 500,
        errorKind: "status",
        error: "The receiver answered 500.",
        responseBody: "sorry",
      });
      expect(row).toMatchObject({ state: "pending", nextNumber: number + 1 });
      expect(Number(row.dueAt) - Number(attempt?.endedAt)).toBe(delay * 1_000);
      due = row.dueAt ?? due;
      await moveClockTo(database.db, new Date(due.getTime() - 1_000));
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(endpoint.requests).toHaveLength(number);
      await moveClockTo(database.db, due);
    }
    const row = await settled(id, 6);
    expect(row).toMatchObject({ state: "undelivered", dueAt: null, deliveredAt: null, nextNumber: 6 });
    const attempts = await attemptsOf(id);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(row.undeliveredAt).toEqual(attempts.at(-1)?.endedAt);
    for (const attempt of attempts) expect(Number(attempt.sentAt) - Number(attempt.scheduledAt)).toBeLessThan(2_000);
    expect(endpoint.requests).toHaveLength(6);
    expect(new Set(endpoint.requests.map((request) => request.body))).toEqual(new Set([body]));
    expect(new Set(endpoint.requests.map((request) => request.headers["webhook-id"]))).toEqual(new Set([id]));
    expect(new Set(endpoint.requests.map((request) => request.headers["x-service-nonce"])).size).toBe(6);
  });

  it("stops at the attempt that succeeds", async () => {
    const endpoint = await receiver((_request, response) => response.writeHead(endpoint.requests.length < 3 ? 503 : 200).end());
    work();
    const { id } = await oweCallback(database.db, partner, endpoint.origin);
    for (const number of [1, 2]) await moveClockTo(database.db, (await settled(id, number)).dueAt ?? new Date(0));
    expect(await settled(id, 3)).toMatchObject({ state: "delivered", nextNumber: 3 });
    expect((await attemptsOf(id)).map((attempt) => attempt.responseStatus)).toEqual([503, 503, 200]);
  });

  it("keeps what hostile answers hold, and fails the attempt in plain words when there is none", async () => {
    const endpoint = await receiver((_request, response) => response.writeHead(400).end(Buffer.from([0, 1, 0xff, 0xfe, 0])));
    work();
    const { id } = await oweCallback(database.db, partner, endpoint.origin);
    expect(await settled(id, 1)).toMatchObject({ state: "pending", nextNumber: 2 });
    expect((await attemptsOf(id))[0]).toMatchObject({ responseStatus: 400, responseBody: "\ufffd\u0001\ufffd\ufffd\ufffd" });
    const nobody = await oweCallback(database.db, partner, "http://127.0.0.1:9/");
    await settled(nobody.id, 1);
    expect((await attemptsOf(nobody.id))[0]).toMatchObject({ responseStatus: null, error: "The receiver refused the connection." });
  });

  it("judges the address at every attempt", async () => {
    work();
    const { id } = await oweCallback(database.db, partner, "http://10.0.0.1/");
    await settled(id, 1);
    expect((await attemptsOf(id))[0]).toMatchObject({ responseStatus: null, errorKind: "blocked_address", remoteAddress: null });
  });
});

describe("the signatures of an attempt", () => {
  beforeAll(async () => {
    partner = await addSigningPartner(database.db);
  });

  async function deliverOne(path: string, body: string): Promise<ReceivedRequest> {
    const endpoint = await receiver();
    work();
    await oweCallback(database.db, partner, endpoint.origin + path, { body });
    await endpoint.received(1);
    const [request] = endpoint.requests;
    if (!request) throw new Error("nothing came");
    return request;
  }

  /** As a partner would check it: from the specification's words alone. */
  function mirroredSignature(secret: string, request: ReceivedRequest): string {
    const mark = request.target.indexOf("?");
    const path = mark < 0 ? request.target : request.target.slice(0, mark);
    const query = mark < 0 ? "" : request.target.slice(mark + 1);
    const text = [request.headers["x-service-timestamp"], "POST", path, query, request.body].join("\n");
    return createHmac("sha256", Buffer.from(secret, "utf8")).update(Buffer.from(text, "utf8")).digest("hex");
  }

  it("verify with the Standard Webhooks library and under the mirrored scheme", async () => {
    const request = await deliverOne("/hook/ä?b=%2F&a=x+y", '{"tx_id":"tx_1","failure_reason":"Überlauf 😀"}');
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    expect(new Webhook(partner.callbackSecret).verify(request.body, headers)).toEqual({ tx_id: "tx_1", failure_reason: "Überlauf 😀" });
    expect(() => new Webhook(`whsec_${Buffer.alloc(24, 7).toString("base64")}`).verify(request.body, headers)).toThrow();
    expect(request.target).toBe("/hook/%C3%A4?b=%2F&a=x+y");
    expect(request.headers["content-type"]).toBe("application/json");
    expect(request.headers["x-service-nonce"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(request.headers["x-service-timestamp"]).toBe(request.headers["webhook-timestamp"]);
    expect(request.headers["x-service-signature"]).toBe(mirroredSignature(partner.apiSecret, request));
  });

  it("carry real time, wherever the sandbox's clock stands", async () => {
    await setClockOffset(database.db, 90 * 86_400_000);
    const request = await deliverOne("/", "{}");
    expect(Math.abs(Number(request.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(5);
  });

  it("are two while a rotation overlaps, the newer first, and one again afterwards", async () => {
    const lapsed = new Date(Date.now() - 1_000);
    await addCallbackSecret(database.db, partner.partnerId, lapsed);
    const older = partner.callbackSecret;
    await database.db
      .update(callbackSecrets)
      .set({ expiresAt: new Date(Date.now() + 60_000) })
      .where(sql`partner_id = ${partner.partnerId} and expires_at is null`);
    const newer = await addCallbackSecret(database.db, partner.partnerId, null);
    const request = await deliverOne("/", "{}");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const signatures = headers["webhook-signature"]?.split(" ") ?? [];
    expect(signatures).toHaveLength(2);
    for (const secret of [older, newer]) new Webhook(secret).verify("{}", headers);
    new Webhook(newer).verify("{}", { ...headers, "webhook-signature": signatures[0] ?? "" });
    await database.db
      .update(callbackSecrets)
      .set({ expiresAt: lapsed })
      .where(sql`partner_id = ${partner.partnerId} and expires_at is not null`);
    const later = await deliverOne("/", "{}");
    expect(String(later.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  });

  it("are made with the partner's newest live key once the creating key is revoked or expired", async () => {
    const addKey = async (secret: string, createdAt: Date, more: { revokedAt?: Date; expiresAt?: Date } = {}) => {
      const id = randomUUID();
      const common = { partnerId: partner.partnerId, name: "another", lastFour: "0000", scopes: [], allowedIps: [] };
      await database.db.insert(apiKeys).values({ ...common, id, keyHash: id, sealedSecret: testVault.seal(secret), createdAt, ...more });
    };
    const past = new Date(Date.now() - 1_000);
    await addKey("sec_test_older", new Date(Date.now() + 1_000));
    await addKey("sec_test_newer", new Date(Date.now() + 2_000), { expiresAt: new Date(Date.now() + 600_000) });
    await addKey("sec_test_revoked", new Date(Date.now() + 3_000), { revokedAt: past });
    await addKey("sec_test_expired", new Date(Date.now() + 4_000), { expiresAt: past });
    const before = await deliverOne("/", "{}");
    expect(before.headers["x-service-signature"]).toBe(mirroredSignature(partner.apiSecret, before));
    for (const gone of [{ revokedAt: past }, { revokedAt: null, expiresAt: past }]) {
      await database.db.update(apiKeys).set(gone).where(eq(apiKeys.id, partner.apiKeyId));
      const after = await deliverOne("/", "{}");
      expect(after.headers["x-service-signature"]).toBe(mirroredSignature("sec_test_newer", after));
    }
  });

  it("are never left out: what cannot be signed is not sent, and fails in plain words", async () => {
    const silent = await addSigningPartner(database.db);
    await database.db.delete(callbackSecrets).where(eq(callbackSecrets.partnerId, silent.partnerId));
    const endpoint = await receiver();
    work();
    const { id } = await oweCallback(database.db, silent, endpoint.origin);
    await settled(id, 1);
    expect((await attemptsOf(id))[0]).toMatchObject({ errorKind: "internal", error: expect.stringMatching(/of our own/) });
    expect(endpoint.requests).toHaveLength(0);
  });
});

describe("workers that die, stop or race", () => {
  beforeAll(async () => {
    partner = await addSigningPartner(database.db);
  });
  const everything = { limit: 100, perLane: 8, inFlight: {}, closedPartners: [], onlyLanes: null };

  it("repeat an attempt that a crash cut off under the same number, and the dead one's late word changes nothing", async () => {
    const endpoint = await receiver();
    const { id } = await oweCallback(database.db, partner, endpoint.origin);
    const token = randomUUID();
    const [claimed] = await database.db.transaction(async (tx) => {
      const rows = await claimDueCallbacks(tx, token, everything);
      await insertAttempts(
        tx,
        rows.map((row) => ({
          id: newId("attempt", row.claimedAt),
          callbackId: row.id,
          series: row.series,
          number: row.number,
          scheduledAt: row.dueAt,
          sentAt: row.claimedAt,
        })),
      );
      return rows;
    });
    expect(claimed).toMatchObject({ id, number: 1 });
    // The worker is dead now. While its lease stands nobody else may begin; then it lapses.
    work();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(endpoint.requests).toHaveLength(0);
    await database.sql`update callbacks set lease_until = clock_timestamp() - interval '1 second' where id = ${id}`;
    expect(await settled(id, 1)).toMatchObject({ state: "delivered" });
    expect((await attemptsOf(id)).map(({ series, number }) => [series, number])).toEqual([[1, 1]]);
    const late = await settleAttempts(database.db, [
      {
        id,
        token,
        series: 1,
        number: 1,
        endedAt: new Date(),
        durationMs: 1,
        requestHeaders: {},
        responseStatus: null,
        responseHeaders: null,
        responseBody: null,
        errorKind: "timeout",
        error: "Too late.",
        remoteAddress: null,
        state: "pending",
        nextNumber: 2,
        dueAt: new Date(),
      },
    ]);
    expect(late.size).toBe(0);
    expect(await rowOf(id)).toMatchObject({ state: "delivered", nextNumber: 1 });
    expect((await attemptsOf(id))[0]).toMatchObject({ responseStatus: 200, error: null });
  });

  it("claim each callback once between them", async () => {
    const endpoint = await receiver();
    const ids: string[] = [];
    for (let index = 0; index < 150; index += 1) ids.push((await oweCallback(database.db, partner, `${endpoint.origin}/${index % 10}`)).id);
    for (let count = 0; count < 3; count += 1) work();
    await eventually(async () => ((await countOf("delivered")) === ids.length ? true : null), 15_000);
    expect(endpoint.requests.map((request) => request.headers["webhook-id"]).sort()).toEqual([...ids].sort());
  });

  it("renew the leases of what is in flight", async () => {
    const endpoint = await receiver(() => {});
    work();
    const { id } = await oweCallback(database.db, partner, endpoint.origin);
    await endpoint.received(1);
    await database.sql`update callbacks set lease_until = clock_timestamp() + interval '5 seconds' where id = ${id}`;
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    const [lease] =
      await database.sql`select extract(epoch from lease_until - clock_timestamp())::float8 as seconds from callbacks where id = ${id}`;
    expect(lease?.seconds).toBeGreaterThan(6);
  });

  it("let what is in flight finish when they stop, and call off and give back the rest", async () => {
    const slow = await receiver((_request, response) => void setTimeout(() => response.end("ok"), 400));
    const hanging = await receiver(() => {});
    const first = startDelivery(database, { graceMs: 1_000 });
    const quick = await oweCallback(database.db, partner, slow.origin);
    const cut = await oweCallback(database.db, partner, hanging.origin);
    await Promise.all([slow.received(1), hanging.received(1)]);
    const startedAt = Date.now();
    await first.stop();
    expect(Date.now() - startedAt).toBeLessThan(2_500);
    expect(await rowOf(quick.id)).toMatchObject({ state: "delivered" });
    expect(await rowOf(cut.id)).toMatchObject({ state: "pending", nextNumber: 1, leaseUntil: null, leaseToken: null });
    hanging.answer = (_request, response) => response.end();
    work();
    expect(await settled(cut.id, 1)).toMatchObject({ state: "delivered" });
    expect(await attemptsOf(cut.id)).toHaveLength(1);
  });

  it("write what ended while the database was away, with the instant of the end, once it is back", async () => {
    const endpoint = await receiver((_request, response) => void setTimeout(() => response.writeHead(500).end(), 200));
    let away = false;
    const flaky: TestDatabase["db"] = new Proxy(database.db, {
      get(target, name, self) {
        if (away && ["execute", "transaction", "select", "insert", "update"].includes(String(name)))
          throw new Error("the database is away");
        return Reflect.get(target, name, self);
      },
    });
    const worker = startDelivery({ db: flaky, sql: database.sql });
    closing.unshift(() => worker.stop());
    const { id } = await oweCallback(database.db, partner, endpoint.origin);
    await endpoint.received(1);
    away = true;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await rowOf(id)).toMatchObject({ nextNumber: 1 });
    away = false;
    const row = await settled(id, 1);
    const [attempt] = await attemptsOf(id);
    expect(Number(attempt?.endedAt) - Number(attempt?.sentAt)).toBeLessThan(1_000);
    expect(Number(row.dueAt) - Number(attempt?.endedAt)).toBe(60_000);
  });

  async function countOf(state: "delivered"): Promise<number> {
    return (await database.db.select({ id: callbacks.id }).from(callbacks).where(eq(callbacks.state, state))).length;
  }
});

describe("fairness", () => {
  it("lets no hanging receivers delay another partner, and gives no lane more than its share", async () => {
    const [greedy, modest] = [await addSigningPartner(database.db), await addSigningPartner(database.db)];
    const hanging = await Promise.all(Array.from({ length: 10 }, () => receiver(() => {})));
    const endpoint = await receiver();
    for (const each of hanging) for (let index = 0; index < 12; index += 1) await oweCallback(database.db, greedy, each.origin);
    const late: number[] = [];
    work({ onAttempt: ({ outcome, latenessSeconds }) => outcome === "delivered" && late.push(latenessSeconds) });
    await Promise.all(hanging.map((each) => each.received(8)));
    for (let index = 0; index < 30; index += 1) await oweCallback(database.db, modest, endpoint.origin);
    await endpoint.received(30);
    await eventually(async () => (late.length === 30 ? true : null));
    expect(Math.max(...late)).toBeLessThan(2);
    expect(Math.max(...hanging.map((each) => each.requests.length))).toBe(8);
  });

  it("keeps half of the slots for lanes that are prompt", async () => {
    const [greedy, modest] = [await addSigningPartner(database.db), await addSigningPartner(database.db)];
    const endpoint = await receiver();
    const worker = work({ limits: { slots: 12, perLane: 8, perPartner: 100, batch: 50 } });
    await settled((await oweCallback(database.db, modest, endpoint.origin)).id, 1);
    const hanging = await Promise.all(Array.from({ length: 4 }, () => receiver(() => {})));
    for (const each of hanging) for (let index = 0; index < 5; index += 1) await oweCallback(database.db, greedy, each.origin);
    await eventually(async () => (worker.delivery.inFlight >= 6 ? true : null));
    const owed = await Promise.all(Array.from({ length: 20 }, () => oweCallback(database.db, modest, endpoint.origin)));
    const before = Date.now();
    for (const { id } of owed) await settled(id, 1);
    expect(Date.now() - before).toBeLessThan(2_000);
    expect(hanging.reduce((sum, each) => sum + each.requests.length, 0)).toBe(6);
  });

  it("gives one partner no more than its share, however many receivers it names", async () => {
    const [greedy, modest] = [await addSigningPartner(database.db), await addSigningPartner(database.db)];
    const hanging = await Promise.all(Array.from({ length: 6 }, () => receiver(() => {})));
    for (const each of hanging) await oweCallback(database.db, greedy, each.origin);
    const worker = work({ limits: { slots: 40, perLane: 8, perPartner: 4, batch: 2 } });
    await eventually(async () => (worker.delivery.inFlight === 4 ? true : null));
    const endpoint = await receiver();
    await oweCallback(database.db, modest, endpoint.origin);
    await endpoint.received(1);
    expect(worker.delivery.inFlight).toBeLessThanOrEqual(5);
    expect(hanging.reduce((sum, each) => sum + each.requests.length, 0)).toBe(4);
  });

  it("begins what waited for room as soon as there is room, without the poll's help", async () => {
    const someone = await addSigningPartner(database.db);
    const endpoint = await receiver((_request, response) => void setTimeout(() => response.end(), 20));
    for (let index = 0; index < 80; index += 1) await oweCallback(database.db, someone, endpoint.origin);
    work({ pollMs: 60_000 });
    await endpoint.received(80);
    for (let index = 0; index < 20; index += 1) await oweCallback(database.db, someone, endpoint.origin);
    await endpoint.received(100);
  });

  it("leaves callbacks that others claim at this moment alone", async () => {
    const someone = await addSigningPartner(database.db);
    const stuck: CallbackSender = { ...localSender, send: () => new Promise(() => {}) };
    for (let index = 0; index < 5; index += 1) await oweCallback(database.db, someone, "http://127.0.0.1:9/");
    const first = startDelivery(database, { sender: stuck });
    await eventually(async () => (first.delivery.inFlight === 5 ? true : null));
    const second = work();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(second.delivery.inFlight).toBe(0);
    await first.stop();
  });
});
