import { describe, expect, it } from "vitest";
import { SYSTEM } from "#domain/access.ts";
import { signRequest, verifyEvent } from "#sdk/typescript/src/index.ts";
import { createCallbackSender } from "#server/adapters/callbacks/send.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { findFacts } from "#server/services/notifications/find-facts.ts";
import { DESTINATIONS, type Got, gotAt, setDestinationStage, until } from "#testing/destination-stage.ts";
import { addPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";

/** Contract, part 12: destinations, as receivers on real sockets see them. */

const stage = setDestinationStage();

/** Without repeats, as a receiver that knows ids keeps them. */
const once = (events: readonly Got[]): Got[] => [...new Map(events.map((event) => [event.id, event])).values()];
/** Versions of each object in the order in which they came. */
const versions = (events: readonly Got[]): Record<string, number[]> =>
  Object.fromEntries(
    [...Map.groupBy(events, ({ object_id }) => object_id)].map(([id, theirs]) => [id, theirs.map(({ version }) => version)]),
  );
const LIFE = Array.from({ length: 12 }, (_, place) => `${"abc"[place % 3]}`);
const OBJECTS = { a: [1, 2, 3, 4], b: [1, 2, 3, 4], c: [1, 2, 3, 4] };
const broken = (status: number) => (_request: unknown, response: { writeHead(status: number): { end(): unknown } }) =>
  void response.writeHead(status).end();

describe("a webhook", () => {
  it("gets each event of its types once, as its GET answers it, signed under its own secret and the key's", async () => {
    const partner = await stage.addPartner();
    const stranger = await stage.addPartner();
    const hook = await stage.receiver();
    const { id, secret } = await stage.create(partner, `${hook.origin}/in?x=1`);
    const others = await stage.receiver();
    await stage.create(partner, others.origin, { types: ["topup.*", "batch.completed"] });
    stage.work();
    await stage.happen(stranger, "foreign");
    await stage.happen(partner, ...LIFE);
    await hook.received(LIFE.length);
    expect(versions(gotAt(hook))).toEqual(OBJECTS);
    for (const { headers, body, method, target } of hook.requests) {
      const event = JSON.parse(body);
      const { id: sent } = await verifyEvent({ headers: headers as Record<string, string>, body }, { callbackSecret: secret });
      expect(sent).toBe(event.id);
      expect((await partner.call("GET", `/api/v1/events/${event.id}`)).body).toEqual(event);
      expect([method, target]).toEqual(["POST", "/in?x=1"]);
      const timestamp = `${headers["x-service-timestamp"]}`;
      const mirrored = { timestamp, method, path: "/in", query: "x=1", body };
      expect(headers["x-service-signature"]).toBe(await signRequest(partner.key.apiSecret, mirrored));
    }
    await until(async () => (await stage.rowOf(partner, id)).lastDeliveredAt !== null);
    expect(hook.requests).toHaveLength(LIFE.length);
    expect(others.requests).toEqual([]);
  });

  it("that is paused between pages gets no further page, and everything once when it is active again", async () => {
    const partner = await stage.addPartner();
    const hook = await stage.receiver();
    const { id } = await stage.create(partner, hook.origin);
    const paused = async () => void (await partner.call("PATCH", `${DESTINATIONS}/${id}`, { status: "paused" }));
    const objects = Array.from({ length: 350 }, (_, count) => `o${count % 50}`);
    await stage.happen(partner, ...objects);
    const working = stage.work();
    await until(() => hook.requests.length > 0);
    await paused();
    await until(async () => (await stage.database.sql`select 1 from event_destinations where lease_token is not null`).length === 0);
    // The page that was under way, and the one that was begun before the pause was stored.
    expect(hook.requests.length).toBeLessThanOrEqual(200);
    await working.stop();
    stage.work();
    await partner.call("PATCH", `${DESTINATIONS}/${id}`, { status: "active" });
    await until(() => hook.requests.length >= objects.length);
    expect(hook.requests).toHaveLength(objects.length);
    expect(versions(gotAt(hook))).toEqual(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`o${at}`, [1, 2, 3, 4, 5, 6, 7]])));
  });

  it("gets them once and in order from two workers at once", async () => {
    const partner = await stage.addPartner();
    const hooks = [await stage.receiver(), await stage.receiver()];
    for (const { origin } of hooks) await stage.create(partner, origin);
    stage.work();
    stage.work();
    const objects = Array.from({ length: 240 }, (_, count) => `o${count % 7}`);
    await Promise.all([0, 1, 2].map((part) => stage.happen(partner, ...objects.filter((_, place) => place % 3 === part))));
    for (const hook of hooks) {
      await until(() => hook.requests.length >= objects.length);
      const got = gotAt(hook);
      expect(once(got)).toHaveLength(got.length);
      for (const seen of Object.values(versions(got))) expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    }
  });

  it("that fails gets nothing of an object out of order, and nothing again that has arrived", async () => {
    const partner = await stage.addPartner();
    let isWell = false;
    const refused: string[] = [];
    const hook = await stage.receiver((request, response) => {
      const { object_id } = JSON.parse(request.body);
      if (object_id !== "a" || isWell) return void response.end("ok");
      refused.push(request.body);
      broken(503)(request, response);
    });
    const { id } = await stage.create(partner, hook.origin);
    stage.work();
    await stage.happen(partner, ...LIFE);
    await until(async () => (await stage.rowOf(partner, id)).failures === 1);
    expect(await stage.rowOf(partner, id)).toMatchObject({ lastError: "The receiver answered 503.", status: "active" });
    await stage.later(59);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(refused).toHaveLength(1);
    isWell = true;
    await stage.later(2);
    await until(() => once(gotAt(hook)).length === LIFE.length && hook.requests.length >= LIFE.length + 1);
    expect(versions(once(gotAt(hook)))).toEqual(OBJECTS);
    expect(hook.requests).toHaveLength(LIFE.length + 1);
    await until(async () => (await stage.rowOf(partner, id)).failures === 0);
    expect(await stage.rowOf(partner, id)).toMatchObject({ failingSince: null, lastError: null, ahead: [], nextAttemptAt: null });
  });

  it("is paused after a day of failures, its people are notified, and resumed it catches up", async () => {
    const partner = await stage.addPartner();
    const hook = await stage.receiver(broken(500));
    const { id } = await stage.create(partner, hook.origin);
    const [owner, other] = [partner, await stage.addPartner()].map(({ key }) => addPerson(stage.database.db, "owner", key.partnerId));
    stage.work();
    await stage.happen(partner, "a", "a");
    for (const [index, delay] of [60, 300, 1_800, 7_200, 43_200, 33_840].entries()) {
      await until(async () => (await stage.rowOf(partner, id)).failures === index + 1);
      await stage.later(delay);
    }
    await until(async () => (await stage.rowOf(partner, id)).status === "paused");
    expect(hook.requests).toHaveLength(7);
    expect(new Set(gotAt(hook).map((event) => event.id)).size).toBe(1);
    const shown = (await partner.call("GET", `${DESTINATIONS}/${id}`)).body;
    expect(shown).toMatchObject({ status: "paused", last_error: "The receiver answered 500.", next_attempt_at: null });
    await until(async () => ((await partner.call("GET", "/api/v1/events?types=destination.*")).body.data as Got[]).length === 1);
    const { body } = await partner.call("GET", "/api/v1/events?types=destination.paused");
    expect((body.data as Got[])[0]).toMatchObject({ object_id: id, version: 1, data: shown });
    expect(await stage.database.sql`select 1 from audit_entries where action = 'destination.paused' and object_id = ${id}`).toHaveLength(1);
    for (let time = 0; time < 2; time += 1) await findFacts(testContext(stage.database.db));
    const notified = await stage.database
      .sql`select user_id, detail from notifications where kind = 'destination_paused' and partner_id is not null`;
    expect(notified).toEqual([{ user_id: (await owner)?.id, detail: new URL(hook.origin).host }]);
    expect((await other)?.id).not.toBe((await owner)?.id);
    hook.answer = (_request, response) => void response.end();
    await partner.call("PATCH", `${DESTINATIONS}/${id}`, { status: "active" });
    await until(() => hook.requests.length === 9);
    expect(
      gotAt(hook)
        .slice(7)
        .map(({ version }) => version),
    ).toEqual([1, 2]);
  });

  it("that hangs takes two places of its partner's, and delays no other partner's", async () => {
    const [slow, quick] = [await stage.addPartner(), await stage.addPartner()];
    const hanging = await stage.receiver(() => {});
    const answering = await stage.receiver();
    for (let count = 0; count < 9; count += 1) await stage.create(slow, hanging.origin);
    await stage.create(quick, answering.origin);
    stage.work();
    await stage.happen(slow, "a");
    await until(() => hanging.requests.length === 2);
    await stage.happen(quick, "a", "b");
    await answering.received(2);
    expect(hanging.requests).toHaveLength(2);
  });

  it("whose host turns private later is not called", async () => {
    const partner = await stage.addPartner();
    const hook = await stage.receiver();
    const { id } = await stage.create(partner, hook.origin);
    stage.work({ sender: createCallbackSender({ allowHttp: true, exemptHosts: [], resolve: async () => ["127.0.0.1"] }) });
    await stage.happen(partner, "a");
    await until(async () => (await stage.rowOf(partner, id)).failures === 1);
    expect(hook.requests).toEqual([]);
    expect((await stage.rowOf(partner, id)).lastError).toContain("address");
  });
});

describe("a worker that dies", () => {
  it.each(["claimed", "sent"] as const)("after it has %s loses nothing: another one sends it, under the same ids", async (step) => {
    const partner = await stage.addPartner();
    const hook = await stage.receiver();
    const { id } = await stage.create(partner, hook.origin);
    let isDead = false;
    const dying = stage.work({
      observe(name) {
        if (name !== step || isDead) return;
        isDead = true;
        throw new Error("killed");
      },
    });
    await stage.happen(partner, ...LIFE);
    await until(() => isDead);
    await dying.stop();
    await stage.database.sql`update event_destinations set lease_until = null where id = ${id}`;
    stage.work();
    await until(async () => once(gotAt(hook)).length === LIFE.length && (await stage.rowOf(partner, id)).lastDeliveredAt !== null);
    expect(versions(once(gotAt(hook)))).toEqual(OBJECTS);
  });
});

describe("an owner", () => {
  it("has events sent again from a moment on, also while a worker is sending", async () => {
    const partner = await stage.addPartner();
    const hook = await stage.receiver();
    const { id } = await stage.create(partner, hook.origin);
    stage.work();
    await stage.happen(partner, "a");
    await hook.received(1);
    await stage.later(3_600);
    const from = new Date(Date.now() + 3_600_000).toISOString();
    await stage.happen(partner, "b", "c");
    await hook.received(3);
    const { status } = await partner.call("POST", `${DESTINATIONS}/${id}/replay`, { from });
    expect(status).toBe(202);
    await until(() => hook.requests.length === 5);
    expect(
      gotAt(hook)
        .slice(3)
        .map(({ object_id }) => object_id)
        .toSorted(),
    ).toEqual(["b", "c"]);
    expect(once(gotAt(hook))).toHaveLength(3);
  });

  it("sends a test, also to a paused one, and sees how it ended", async () => {
    const partner = await stage.addPartner();
    const hook = await stage.receiver(broken(410));
    const { id } = await stage.create(partner, hook.origin);
    await partner.call("PATCH", `${DESTINATIONS}/${id}`, { status: "paused", description: "ours" });
    await stage.happen(partner, "a");
    stage.work();
    const ended = async () => {
      await partner.call("POST", `${DESTINATIONS}/${id}/test`, {});
      await until(async () => (await stage.rowOf(partner, id)).test?.endedAt != null);
      return (await partner.call("GET", `${DESTINATIONS}/${id}`)).body;
    };
    expect(await ended()).toMatchObject({
      status: "paused",
      description: "ours",
      last_test: { delivered: false, error: "The receiver answered 410." },
    });
    hook.answer = (_request, response) => void response.end();
    expect(await ended()).toMatchObject({ failing_since: null, last_test: { delivered: true, error: null } });
    expect(gotAt(hook).map((event) => [event.id.slice(0, 13), event.type])).toEqual(Array(2).fill(["ev_0000000000", "withdrawal.created"]));
  });

  it("who revokes a key pauses what it and its descendants created, and nothing else goes there", async () => {
    const partner = await stage.addPartner();
    const { partnerId } = partner.key;
    if (partnerId === null) throw new Error("a partner's key has a partner");
    const ctx = testContext(stage.database.db);
    const by = { actor: { type: "api_key", apiKeyId: partner.key.id, partnerId }, requestId: null } as const;
    const made = await stage.addPartner({ partnerId, by });
    const kept = await stage.addPartner({ partnerId });
    const [hook, other, third] = [await stage.receiver(), await stage.receiver(), await stage.receiver()];
    const { id } = await stage.create(partner, hook.origin);
    const { id: ofMade } = await stage.create(made, other.origin);
    const { id: ofKept } = await stage.create(kept, third.origin);
    await revokeApiKey(ctx, { by: SYSTEM, id: partner.key.id });
    stage.work();
    await stage.happen(partner, ...LIFE);
    await third.received(LIFE.length);
    expect([hook.requests, other.requests]).toEqual([[], []]);
    for (const paused of [id, ofMade])
      expect(await stage.rowOf(partner, paused)).toMatchObject({ status: "paused", lastError: "The key that created it was revoked." });
    expect(await stage.rowOf(partner, ofKept)).toMatchObject({ status: "active", lastError: null });
    const { body } = await kept.call("GET", "/api/v1/events?types=destination.paused");
    expect((body.data as Got[]).map(({ object_id }) => object_id).toSorted()).toEqual([id, ofMade].toSorted());
    await kept.call("PATCH", `${DESTINATIONS}/${id}`, { status: "active" });
    await hook.received(LIFE.length);
    expect(versions(gotAt(hook))).toEqual(OBJECTS);
  });
});
