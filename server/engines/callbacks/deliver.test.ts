import { beforeAll, describe, expect, it } from "vitest";
import { setCallbackStage } from "#testing/callback-stage.ts";
import { addSigningPartner, enqueueTestCallback, moveClockTo, type SigningPartner } from "#testing/callbacks.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";

const stage = setCallbackStage();

describe("the delivery of callbacks", () => {
  let partner: SigningPartner;
  beforeAll(async () => {
    partner = await addSigningPartner(stage.database.db);
  });

  it("delivers at once, with any 2xx, and once", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(204).end());
    stage.work();
    const { id } = await enqueueTestCallback(stage.database.db, partner, `${endpoint.origin}/hook`);
    const row = await stage.settled(id, 1);
    expect(row).toMatchObject({ state: "delivered", dueAt: null, undeliveredAt: null, nextNumber: 1 });
    const [attempt, ...more] = await stage.attemptsOf(id);
    expect(more).toEqual([]);
    expect(attempt).toMatchObject({ series: 1, number: 1, responseStatus: 204, error: null, errorKind: null, remoteAddress: "127.0.0.1" });
    expect(row.deliveredAt).toEqual(attempt?.endedAt);
    await moveClockTo(stage.database.db, new Date(Date.now() + 86_400_000));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(endpoint.requests).toHaveLength(1);
  });

  it("makes six attempts, each its exact delay after the end of the one before, with the same id and bytes, then gives up", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(500, { "x-why": "broken" }).end("sorry"));
    stage.work();
    const body = '{"tx_id":"tx_1","destination_amount":7.65,"note":"é€😀"}';
    const { id } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin, { body });
    let due = (await stage.rowOf(id)).createdAt;
    for (const [index, delay] of [60, 300, 1_800, 7_200, 43_200].entries()) {
      const number = index + 1;
      const row = await stage.settled(id, number);
      const attempt = (await stage.attemptsOf(id))[index];
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
      expect(Number(attempt?.endedAt)).toBeGreaterThanOrEqual(Number(attempt?.sentAt));
      due = row.dueAt ?? due;
      await moveClockTo(stage.database.db, new Date(due.getTime() - 1_000));
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(endpoint.requests).toHaveLength(number);
      await moveClockTo(stage.database.db, due);
    }
    const row = await stage.settled(id, 6);
    expect(row).toMatchObject({ state: "undelivered", dueAt: null, deliveredAt: null, nextNumber: 6 });
    const attempts = await stage.attemptsOf(id);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(row.undeliveredAt).toEqual(attempts.at(-1)?.endedAt);
    for (const attempt of attempts) expect(Number(attempt.sentAt) - Number(attempt.scheduledAt)).toBeLessThan(AT_ONCE_MS);
    expect(endpoint.requests).toHaveLength(6);
    expect(new Set(endpoint.requests.map((request) => request.body))).toEqual(new Set([body]));
    expect(new Set(endpoint.requests.map((request) => request.headers["webhook-id"]))).toEqual(new Set([id]));
    expect(new Set(endpoint.requests.map((request) => request.headers["x-service-nonce"])).size).toBe(6);
  });

  it("stops at the attempt that succeeds", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(endpoint.requests.length < 3 ? 503 : 200).end());
    stage.work();
    const { id } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    for (const number of [1, 2]) await moveClockTo(stage.database.db, (await stage.settled(id, number)).dueAt ?? new Date(0));
    expect(await stage.settled(id, 3)).toMatchObject({ state: "delivered", nextNumber: 3 });
    expect((await stage.attemptsOf(id)).map((attempt) => attempt.responseStatus)).toEqual([503, 503, 200]);
  });

  it("keeps what hostile answers hold, and fails the attempt in plain words when there is none", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(400).end(Buffer.from([0, 1, 0xff, 0xfe, 0])));
    stage.work();
    const { id } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    expect(await stage.settled(id, 1)).toMatchObject({ state: "pending", nextNumber: 2 });
    expect((await stage.attemptsOf(id))[0]).toMatchObject({ responseStatus: 400, responseBody: "\ufffd\u0001\ufffd\ufffd\ufffd" });
    const nobody = await enqueueTestCallback(stage.database.db, partner, "http://127.0.0.1:9/");
    await stage.settled(nobody.id, 1);
    expect((await stage.attemptsOf(nobody.id))[0]).toMatchObject({ responseStatus: null, error: "The receiver refused the connection." });
  });

  it("judges the address at every attempt", async () => {
    stage.work();
    const { id } = await enqueueTestCallback(stage.database.db, partner, "http://10.0.0.1/");
    await stage.settled(id, 1);
    expect((await stage.attemptsOf(id))[0]).toMatchObject({ responseStatus: null, errorKind: "blocked_address", remoteAddress: null });
  });
});
