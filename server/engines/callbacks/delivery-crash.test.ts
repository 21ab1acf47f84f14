import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { listShares } from "#db/lease.ts";
import { claimDueCallbacks, settleAttempts } from "#db/queries/callbacks/due-callbacks.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { firstId, isId } from "#domain/ids.ts";
import { setCallbackStage } from "#testing/callback-stage.ts";
import { addSigningPartner, enqueueTestCallback, eventually, type SigningPartner, startDelivery } from "#testing/callbacks.ts";
import { Died } from "#testing/death.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { DELIVERY_STEPS } from "./engine.ts";

const stage = setCallbackStage();

describe("workers that die, stop or race", () => {
  let partner: SigningPartner;
  beforeAll(async () => {
    partner = await addSigningPartner(stage.database.db);
  });
  const everything = { limit: 100, rooms: {}, otherwise: 8, closedPartners: [] };

  it("repeat an attempt that a crash cut off under the same number, and the dead one's late word changes nothing", async () => {
    const endpoint = await stage.receiver();
    const { id } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    const token = randomUUID();
    const [share] = await listShares(stage.database.db, "callbacks");
    const [claimed] = await claimDueCallbacks(stage.database.db, token, everything, new Date(), share);
    expect(claimed).toMatchObject({ id, number: 1 });
    const [begun, ...more] = await stage.attemptsOf(id);
    expect(more).toEqual([]);
    expect(begun).toMatchObject({ number: 1, scheduledAt: claimed?.dueAt, sentAt: claimed?.claimedAt, endedAt: null });
    expect(begun?.id.startsWith(firstId("attempt", claimed?.claimedAt ?? new Date()).slice(0, 13))).toBe(true);
    expect(isId("attempt", begun?.id ?? "")).toBe(true);
    // The worker is dead now. While its lease is valid nobody else may begin; then it expires.
    stage.work();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(endpoint.requests).toHaveLength(0);
    await stage.database.sql`update callbacks set lease_until = now() - interval '1 second' where id = ${id}`;
    expect(await stage.settled(id, 1)).toMatchObject({ state: "delivered" });
    expect((await stage.attemptsOf(id)).map(({ series, number }) => [series, number])).toEqual([[1, 1]]);
    const late = await settleAttempts(stage.database.db, [
      {
        id,
        partnerId: partner.partnerId,
        token,
        series: 1,
        number: 1,
        attemptId: null,
        agoMs: 0,
        durationMs: 1,
        requestHeaders: {},
        responseStatus: null,
        responseHeaders: null,
        responseBody: null,
        responseBytes: null,
        timings: {},
        errorKind: "timeout",
        error: "Too late.",
        remoteAddress: null,
        state: "pending",
        nextNumber: 2,
        dueInSeconds: 0,
      },
    ]);
    expect(late.written.size).toBe(0);
    expect(await stage.rowOf(id)).toMatchObject({ state: "delivered", nextNumber: 1 });
    expect((await stage.attemptsOf(id))[0]).toMatchObject({ responseStatus: 200, error: null });
  });

  for (const step of DELIVERY_STEPS) {
    it(`deliver at least once, in attempts of one number each, after a death at "${step}"`, async () => {
      const endpoint = await stage.receiver();
      const ids: string[] = [];
      for (let index = 0; index < 3; index += 1) ids.push((await enqueueTestCallback(stage.database.db, partner, endpoint.origin)).id);
      const death = Promise.withResolvers<void>();
      stage.work({
        observe(reached) {
          if (reached !== step) return;
          death.resolve();
          throw new Died(`died at ${step}`);
        },
      });
      await death.promise;
      await stage.database.sql`update callbacks set lease_until = now() - interval '1 second' where lease_until is not null`;
      stage.work();
      for (const id of ids) {
        expect(await stage.settled(id, 1)).toMatchObject({ state: "delivered", nextNumber: 1 });
        expect((await stage.attemptsOf(id)).map(({ series, number }) => [series, number])).toEqual([[1, 1]]);
      }
      expect(new Set(endpoint.requests.map((request) => request.headers["webhook-id"]))).toEqual(new Set(ids));
    });
  }

  it("claim each callback once between them", async () => {
    const endpoint = await stage.receiver();
    const ids: string[] = [];
    for (let index = 0; index < 150; index += 1)
      ids.push((await enqueueTestCallback(stage.database.db, partner, `${endpoint.origin}/${index % 10}`)).id);
    for (let count = 0; count < 3; count += 1) stage.work();
    await eventually(async () => ((await countOf("delivered")) === ids.length ? true : null), 15_000);
    expect(endpoint.requests.map((request) => request.headers["webhook-id"]).sort()).toEqual([...ids].sort());
  });

  it("renew the leases of what is in flight", async () => {
    const endpoint = await stage.receiver(() => {});
    stage.work();
    const { id } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    await endpoint.received(1);
    await stage.database.sql`update callbacks set lease_until = now() + interval '5 seconds' where id = ${id}`;
    const { leaseToken } = await stage.rowOf(id);
    await eventually(async () => {
      const [lease] = await stage.database
        .sql`select extract(epoch from lease_until - clock_timestamp())::float8 as seconds from callbacks where id = ${id}`;
      return lease?.seconds > 6 ? true : null;
    });
    expect((await stage.rowOf(id)).leaseToken).toBe(leaseToken);
  });

  it("let what is in flight finish when they stop, and call off and give back the rest", async () => {
    const slow = await stage.receiver((_request, response) => void setTimeout(() => response.end("ok"), 400));
    const hanging = await stage.receiver(() => {});
    const first = startDelivery(stage.database, { graceMs: 5_000 });
    const quick = await enqueueTestCallback(stage.database.db, partner, slow.origin);
    const cut = await enqueueTestCallback(stage.database.db, partner, hanging.origin);
    await Promise.all([slow.received(1), hanging.received(1)]);
    const startedAt = Date.now();
    await first.stop();
    expect(Date.now() - startedAt).toBeLessThan(AT_ONCE_MS);
    expect(await stage.rowOf(quick.id)).toMatchObject({ state: "delivered" });
    expect(await stage.rowOf(cut.id)).toMatchObject({ state: "pending", nextNumber: 1, leaseUntil: null, leaseToken: null });
    hanging.answer = (_request, response) => response.end();
    stage.work();
    expect(await stage.settled(cut.id, 1)).toMatchObject({ state: "delivered" });
    expect(await stage.attemptsOf(cut.id)).toHaveLength(1);
  });

  it("write what ended while the database was away, with the instant of the end, once it is back", async () => {
    const endpoint = await stage.receiver((_request, response) => void setTimeout(() => response.writeHead(500).end(), 200));
    let away = false;
    const flaky: Database = new Proxy(stage.database.db, {
      get(target, name, self) {
        if (away && ["execute", "transaction", "select", "insert", "update"].includes(String(name)))
          throw new Error("the database is away");
        return Reflect.get(target, name, self);
      },
    });
    stage.work({ db: flaky });
    const { id } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    await endpoint.received(1);
    away = true;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await stage.rowOf(id)).toMatchObject({ nextNumber: 1 });
    const back = Date.now();
    away = false;
    const row = await stage.settled(id, 1);
    const [attempt] = await stage.attemptsOf(id);
    expect(Number(attempt?.endedAt)).toBeLessThan(back);
    expect(Number(row.dueAt) - Number(attempt?.endedAt)).toBe(60_000);
  });

  async function countOf(state: "delivered"): Promise<number> {
    return (await stage.database.db.select({ id: callbacks.id }).from(callbacks).where(eq(callbacks.state, state))).length;
  }
});
