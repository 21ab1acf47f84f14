import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { countCallbackSuccess } from "#db/queries/overview/overview.ts";
import type { By } from "#domain/access.ts";
import { askAttempt, askAttempts } from "#server/services/callbacks/ask-attempt.ts";
import { pauseReceiver, resumeReceiver } from "#server/services/callbacks/pause-receiver.ts";
import { countCallbacks, listCallbackGroups, listEndpoints } from "#server/services/callbacks/read-callbacks.ts";
import { setCallbackStage } from "#testing/callback-stage.ts";
import { addSigningPartner, enqueueTestCallback, eventually, moveClockTo, type SigningPartner } from "#testing/callbacks.ts";

const stage = setCallbackStage();
let partner: SigningPartner;
let by: By;
beforeEach(async () => {
  partner = await addSigningPartner(stage.database.db);
  by = { actor: { type: "api_key", apiKeyId: partner.apiKeyId, partnerId: partner.partnerId }, requestId: null };
});

/** Waits until no manual attempt is requested or in progress. */
const extraOver = (id: string) =>
  eventually(async () => {
    const row = await stage.rowOf(id);
    return row.extraAttemptId === null && row.leaseToken === null ? row : null;
  });
const ask = (id: string, subjectId: string) => askAttempt(stage.database, { partnerId: partner.partnerId, by, subjectId, callbackId: id });

describe("an attempt besides the six", () => {
  it("that fails changes nothing of the schedule, and is listed among the attempts without a number", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(500).end());
    stage.work();
    const { id, subjectId } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    const before = await stage.settled(id, 1);
    await ask(id, subjectId);
    const after = await extraOver(id);
    expect(after).toMatchObject({ state: "pending", series: 1, nextNumber: 2, dueAt: before.dueAt, failingSince: before.failingSince });
    expect((await stage.attemptsOf(id)).map(({ number, responseStatus }) => [number, responseStatus])).toEqual([
      [1, 500],
      [null, 500],
    ]);
    await moveClockTo(stage.database.db, before.dueAt ?? new Date(0));
    const second = await stage.settled(id, 2);
    expect(second).toMatchObject({ state: "pending", nextNumber: 3 });
    expect(new Set(endpoint.requests.map((request) => request.headers["webhook-id"]))).toEqual(new Set([id]));
    expect(endpoint.requests).toHaveLength(3);
  });

  it("that succeeds delivers a pending callback, and no further attempt follows", async () => {
    let status = 503;
    const endpoint = await stage.receiver((_request, response) => response.writeHead(status).end());
    stage.work();
    const { id, subjectId } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    await stage.settled(id, 1);
    status = 200;
    await ask(id, subjectId);
    expect(await extraOver(id)).toMatchObject({ state: "delivered", dueAt: null, failingSince: null });
    await moveClockTo(stage.database.db, new Date(Date.now() + 86_400_000));
    const { id: other } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    await stage.settled(other, 1);
    expect(endpoint.requests).toHaveLength(3);
  });

  it("delivers an undelivered callback, and one that fails leaves it as it is", async () => {
    let status = 500;
    const endpoint = await stage.receiver((_request, response) => response.writeHead(status).end());
    const { id, subjectId } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    await stage.database
      .sql`update callbacks set state = 'undelivered', due_at = null, undelivered_at = now(), next_number = 6 where id = ${id}`;
    stage.work();
    await ask(id, subjectId);
    expect(await extraOver(id)).toMatchObject({ state: "undelivered", dueAt: null });
    status = 204;
    await ask(id, subjectId);
    expect(await extraOver(id)).toMatchObject({ state: "delivered", undeliveredAt: null, failingSince: null });
  });

  it("is made once, however often it is asked for before it has ended, and begins again where a crash cut it off", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(200).end());
    const { id, subjectId } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin, {
      now: new Date(Date.now() + 3_600_000),
    });
    await Promise.all([ask(id, subjectId), ask(id, subjectId), ask(id, subjectId)]);
    const { extraAttemptId } = await stage.rowOf(id);
    // The state after a process died between claim and end: its attempt begun, its lease expired.
    await stage.database.sql`insert into callback_attempts (id, callback_id, partner_id, series, scheduled_at, sent_at)
        select ${extraAttemptId}, id, partner_id, 1, now(), now() from callbacks where id = ${id}`;
    await stage.database
      .sql`update callbacks set lease_until = now() - interval '1 second', lease_token = ${randomUUID()} where id = ${id}`;
    stage.work();
    await extraOver(id);
    expect((await stage.attemptsOf(id)).map(({ id: attempt, number, errorKind }) => [attempt, number, errorKind])).toEqual([
      [extraAttemptId, null, null],
    ]);
    expect(endpoint.requests).toHaveLength(1);
  });

  it("is the partner's own: another's callback is not found", async () => {
    const { id, subjectId } = await enqueueTestCallback(stage.database.db, partner, "https://receiver.example");
    const other = await addSigningPartner(stage.database.db);
    const theirs = { actor: { type: "api_key", apiKeyId: other.apiKeyId, partnerId: other.partnerId }, requestId: null } as const;
    await expect(askAttempt(stage.database, { partnerId: other.partnerId, by: theirs, subjectId, callbackId: id })).rejects.toMatchObject({
      code: "callback_not_found",
    });
    expect(await stage.rowOf(id)).toMatchObject({ extraAttemptId: null });
  });

  it("goes to all that a receiver has failed to take, and to nothing else", async () => {
    let status = 503;
    const endpoint = await stage.receiver((_request, response) => response.writeHead(status).end());
    const elsewhere = await stage.receiver((_request, response) => response.writeHead(500).end());
    stage.work();
    const owed = [];
    for (let count = 0; count < 12; count += 1) owed.push(await enqueueTestCallback(stage.database.db, partner, endpoint.origin));
    const { id: apart } = await enqueueTestCallback(stage.database.db, partner, elsewhere.origin);
    for (const { id } of [...owed, { id: apart }]) await stage.settled(id, 1);
    const [group] = await listCallbackGroups(stage.database, { partnerId: partner.partnerId, state: "retrying" });
    expect(group).toMatchObject({ cause: "http_503", origin: endpoint.origin, count: 12 });
    status = 200;
    expect(await askAttempts(stage.database, { partnerId: partner.partnerId, by, origin: endpoint.origin })).toEqual({ count: 12 });
    for (const { id } of owed) expect(await extraOver(id)).toMatchObject({ state: "delivered" });
    expect(elsewhere.requests).toHaveLength(1);
    expect(await countCallbacks(stage.database, partner.partnerId)).toEqual({ pending: 1, retrying: 1, undelivered: 0, any: true });
  });
});

describe("a figure of success", () => {
  it("counts what has failed and is still retried against it, and a resend towards a dead receiver does not raise it", async () => {
    const good = await stage.receiver((_request, response) => response.writeHead(200).end());
    const dead = await stage.receiver((_request, response) => response.writeHead(401).end());
    stage.work();
    for (const origin of [good.origin, good.origin, good.origin, dead.origin]) {
      const { id } = await enqueueTestCallback(stage.database.db, partner, origin);
      await stage.settled(id, 1);
    }
    const range = { partnerId: partner.partnerId, from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
    const outcomes = async () => {
      const [point] = await countCallbackSuccess(stage.database.db, range, 7_200);
      const [worst] = await listEndpoints(stage.database, { partnerId: partner.partnerId });
      return [point?.delivered, point?.retrying, point?.undelivered, worst?.origin, worst?.taken24h];
    };
    expect(await outcomes()).toEqual([3, 1, 0, dead.origin, { taken: 0, of: 1 }]);
    await stage.database.sql`update callbacks set state = 'undelivered', due_at = null, undelivered_at = now() where state = 'pending'`;
    expect(await outcomes()).toEqual([3, 0, 1, dead.origin, { taken: 0, of: 1 }]);
    await stage.database
      .sql`update callbacks set state = 'pending', series = 2, next_number = 1, due_at = now() + interval '1 hour', undelivered_at = null
      where state = 'undelivered'`;
    expect(await outcomes()).toEqual([3, 1, 0, dead.origin, { taken: 0, of: 1 }]);
  });
});

describe("a paused receiver", () => {
  it("gets nothing that is due, keeps the due times, and gets it all once it is resumed; others go on", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(200).end());
    const beside = await stage.receiver((_request, response) => response.writeHead(200).end());
    await pauseReceiver(stage.database, { partnerId: partner.partnerId, by, origin: endpoint.origin, reason: "Their maintenance" });
    stage.work();
    const waiting = await enqueueTestCallback(stage.database.db, partner, `${endpoint.origin}/hook`);
    const { dueAt } = await stage.rowOf(waiting.id);
    const other = await enqueueTestCallback(stage.database.db, partner, beside.origin);
    expect(await stage.settled(other.id, 1)).toMatchObject({ state: "delivered" });
    expect(endpoint.requests).toHaveLength(0);
    expect(await stage.rowOf(waiting.id)).toMatchObject({ state: "pending", nextNumber: 1, dueAt });
    await resumeReceiver(stage.database, { partnerId: partner.partnerId, by, origin: endpoint.origin });
    expect(await stage.settled(waiting.id, 1)).toMatchObject({ state: "delivered" });
    expect((await stage.attemptsOf(waiting.id))[0]?.scheduledAt).toEqual(dueAt);
  });

  it("still gets an attempt that a person asks for", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(200).end());
    await pauseReceiver(stage.database, { partnerId: partner.partnerId, by, origin: endpoint.origin, reason: "A look first" });
    stage.work();
    const { id, subjectId } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    await ask(id, subjectId);
    expect(await extraOver(id)).toMatchObject({ state: "delivered" });
  });

  it("that the operator paused for everybody is not a partner's to resume", async () => {
    const endpoint = await stage.receiver((_request, response) => response.writeHead(200).end());
    const operator: By = { actor: { type: "user", userId: partner.apiKeyId, role: "approver", partnerId: null }, requestId: null };
    await pauseReceiver(stage.database, { partnerId: null, by: operator, origin: endpoint.origin, reason: "It floods us" });
    await expect(pauseReceiver(stage.database, { partnerId: null, by, origin: endpoint.origin, reason: "Mine" })).rejects.toMatchObject({
      code: "forbidden",
    });
    await resumeReceiver(stage.database, { partnerId: partner.partnerId, by, origin: endpoint.origin });
    stage.work();
    const { id } = await enqueueTestCallback(stage.database.db, partner, endpoint.origin);
    const beside = await stage.receiver((_request, response) => response.writeHead(200).end());
    await stage.settled((await enqueueTestCallback(stage.database.db, partner, beside.origin)).id, 1);
    expect(endpoint.requests).toHaveLength(0);
    await resumeReceiver(stage.database, { partnerId: null, by: operator, origin: endpoint.origin });
    expect(await stage.settled(id, 1)).toMatchObject({ state: "delivered" });
  });
});
