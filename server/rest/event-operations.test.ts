import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { EVENT_CHANNEL } from "#db/event-bell.ts";
import { createEventBell } from "#server/adapters/event-bell.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { executeSettlements } from "#server/services/settlements/execute-settlement.ts";
import { batchItem, batchOf, signedCalls } from "#testing/batches.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate } from "#testing/factories.ts";
import { issueKey, testContext, testSurfaceContext } from "#testing/surface.ts";

/** Contract, part 12: reading events. */

const EVENTS = "/api/v1/events";
const HOOK = "https://partner.example/hook";

type Event = { id: string; type: string; object_id: string; version: number; data: Record<string, unknown> };

let database: TestDatabase;
let partner: IssuedApiKey;
let call: ReturnType<typeof signedCalls>;
let other: ReturnType<typeof signedCalls>;
let reader: ReturnType<typeof signedCalls>;
let blind: ReturnType<typeof signedCalls>;
let closing: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  const ears = openDatabase({ url: database.url, maxConnections: 1, applicationName: "ears" });
  const ctx = { ...testContext(database.db), eventBell: createEventBell((...heard) => ears.listen(EVENT_CHANNEL, ...heard)) };
  const surfaceContext = testSurfaceContext(ctx);
  partner = await issueKey(ctx);
  call = signedCalls(surfaceContext, partner);
  other = signedCalls(surfaceContext, await issueKey(ctx));
  const partnerId = partner.partnerId;
  reader = signedCalls(surfaceContext, await issueKey(ctx, { partnerId, scopes: ["partner:read"] }));
  blind = signedCalls(surfaceContext, await issueKey(ctx, { partnerId, scopes: ["settlements:write"] }));
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  closing = () => ears.close();
});
afterAll(async () => {
  await expectCleanAudit({ db: database.db }, { without: ["executed_was_paid_once", "unexecuted_was_not_paid"] });
  await closing();
  await database.close();
});

async function follow(query = "", cursor?: string): Promise<{ events: Event[]; cursor: string }> {
  const events: Event[] = [];
  let at = cursor;
  while (true) {
    const { status, body } = await call("GET", `${EVENTS}?limit=2${query}${at === undefined ? "" : `&cursor=${at}`}`);
    expect(status).toBe(200);
    events.push(...(body.data as Event[]));
    at = body.next_cursor as string;
    if ((body.data as Event[]).length === 0) return { events, cursor: at };
  }
}

/** Everything up to this moment has been seen: other tests on the same PostgreSQL may still write. */
async function untilSeen(objectId: string, types: readonly string[], cursor: string): Promise<Event[]> {
  const seen = async () => (await follow("", cursor)).events.filter(({ object_id }) => object_id === objectId);
  await expect.poll(async () => (await seen()).map(({ type }) => type), { timeout: 30_000 }).toEqual(types);
  return await seen();
}

async function create(values: Record<string, unknown> = {}): Promise<string> {
  const { external_tx_id: _, ...item } = batchItem(values);
  const { status, body } = await call("POST", "/api/v1/settlements", item);
  expect(status).toBe(201);
  return body.tx_id as string;
}

describe("the events of a settlement", () => {
  it("are one for each change, version by version, and say what its GET answered", async () => {
    const { cursor } = await follow();
    const id = await create();
    const got = async () => (await call("GET", `/api/v1/settlements/${id}`)).body;
    const created = await got();
    await call("POST", `/api/v1/settlements/${id}/confirm`, { external_tx_id: `ev-${id}`, callback_url: HOOK });
    const confirmed = await got();
    await database.db.transaction((tx) => executeSettlements(tx, [{ settlementId: id, txHash: "0x01" }]));
    const executed = await got();
    const events = await untilSeen(id, ["settlement.created", "settlement.confirmed", "settlement.executed"], cursor);
    expect(events.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(events.map(({ data }) => data)).toEqual([created, confirmed, executed]);
    const [first] = events;
    expect((await call("GET", `${EVENTS}/${first?.id}`)).body).toEqual(first);
  });

  it("are none for a repeat, and one for a cancellation", async () => {
    const { cursor } = await follow();
    const id = await create();
    await call("POST", `/api/v1/settlements/${id}/cancel`, {});
    await call("POST", `/api/v1/settlements/${id}/cancel`, {});
    await untilSeen(id, ["settlement.created", "settlement.cancelled"], cursor);
  });

  it("of a batch are its own and its items', also of those that nobody names", async () => {
    const { cursor } = await follow();
    const { body: batch } = await call("POST", "/api/v1/settlement-batches", batchOf(3));
    await call("POST", `/api/v1/settlement-batches/${batch.batch_id}/confirm`, { callback_url: HOOK });
    const events = await untilSeen(batch.batch_id as string, ["batch.created", "batch.confirmed"], cursor);
    expect(events[1]?.data).toEqual((await call("GET", `/api/v1/settlement-batches/${batch.batch_id}`)).body);
    for (const { tx_id } of batch.items as { tx_id: string }[])
      await untilSeen(tx_id, ["settlement.created", "settlement.confirmed"], cursor);
  });
});

describe("a reader", () => {
  it("names types, one by one or by their object", async () => {
    const { cursor } = await follow();
    const id = await create();
    await call("POST", `/api/v1/settlements/${id}/cancel`, {});
    await untilSeen(id, ["settlement.created", "settlement.cancelled"], cursor);
    expect((await follow("&types=settlement.cancelled,batch.*", cursor)).events.map(({ type }) => type)).toEqual(["settlement.cancelled"]);
    expect((await follow("&types=withdrawal.*", cursor)).events).toEqual([]);
  });

  it("waits for the next event, and gets it as soon as it is there", async () => {
    const { cursor } = await follow();
    const waiting = call("GET", `${EVENTS}?wait=20&cursor=${cursor}`);
    const id = await create();
    const { body } = await waiting;
    expect((body.data as Event[]).map(({ object_id }) => object_id)).toEqual([id]);
  });

  it("gets an empty page with a cursor when there is none for as long as it waits", async () => {
    const { cursor } = await follow();
    const { status, body } = await call("GET", `${EVENTS}?wait=1&cursor=${cursor}`);
    expect([status, body.data, typeof body.next_cursor]).toEqual([200, [], "string"]);
  });

  it.each([0, 20])("gets a time to retry where the database hangs, while it waits up to %i s too", async (wait) => {
    const { cursor } = await follow();
    await database.sql.begin(async (tx) => {
      await tx`lock table event_floors in access exclusive mode`;
      const { status, body } = await call("GET", `${EVENTS}?wait=${wait}&cursor=${cursor}`);
      expect([status, body.code]).toEqual([503, "temporarily_unavailable"]);
    });
  });

  it.each([
    ["types=settlement.paid", "types"],
    ["types=*", "types"],
    ["types=", "types"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["wait=21", "wait"],
    ["cursor=nothing", "cursor"],
  ])("is refused %s", async (query, parameter) => {
    const { status, body } = await call("GET", `${EVENTS}?${query}`);
    expect([status, body.code, (body.errors as { parameter: string }[])[0]?.parameter]).toEqual([422, "validation_failed", parameter]);
  });

  it("is refused another partner's cursor, and finds none of its events", async () => {
    const { cursor, events } = await follow();
    const { status, body } = await other("GET", `${EVENTS}?cursor=${cursor}`);
    expect([status, (body.errors as { code: string }[])[0]?.code]).toEqual([422, "malformed_cursor"]);
    expect((await other("GET", EVENTS)).body.data).toEqual([]);
    expect((await other("GET", `${EVENTS}/${events[0]?.id}`)).body.code).toBe("event_not_found");
    expect((await call("GET", `${EVENTS}/ev_1`)).body.code).toBe("event_not_found");
  });

  it("sees what its scopes let it read", async () => {
    const { events } = await follow();
    expect(events.length).toBeGreaterThan(0);
    expect((await reader("GET", EVENTS)).body.data).toEqual([]);
    expect((await reader("GET", `${EVENTS}/${events[0]?.id}`)).body.code).toBe("event_not_found");
    const { status, body } = await blind("GET", EVENTS);
    expect([status, body.code]).toEqual([403, "scope_missing"]);
  });
});
