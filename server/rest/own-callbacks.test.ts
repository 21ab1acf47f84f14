import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#domain/ids.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { batchItem, signedCalls } from "#testing/batches.ts";
import { enqueueTestCallback } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate } from "#testing/factories.ts";
import { issueKey, testContext, testSurfaceContext } from "#testing/surface.ts";

/** One set of operations for the callbacks of settlements, batches, withdrawals and top-ups. */

const CALLBACKS = "/api/v1/callbacks";
let database: TestDatabase;
let key: IssuedApiKey;
let call: ReturnType<typeof signedCalls>;
let other: ReturnType<typeof signedCalls>;
let reader: ReturnType<typeof signedCalls>;
let fiat: ReturnType<typeof signedCalls>;
let blind: ReturnType<typeof signedCalls>;
/** Oldest first: of a settlement, a batch, a withdrawal and a top-up. */
const ids: string[] = [];
let txId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const ctx = testContext(database.db);
  const surfaceContext = testSurfaceContext(ctx);
  key = await issueKey(ctx);
  const partnerId = key.partnerId;
  call = signedCalls(surfaceContext, key);
  other = signedCalls(surfaceContext, await issueKey(ctx));
  reader = signedCalls(surfaceContext, await issueKey(ctx, { partnerId, scopes: ["settlements:read"] }));
  fiat = signedCalls(surfaceContext, await issueKey(ctx, { partnerId, scopes: ["partner:read", "partner:write"] }));
  blind = signedCalls(surfaceContext, await issueKey(ctx, { partnerId, scopes: [] }));
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  const { external_tx_id: _, ...item } = batchItem();
  txId = String((await call("POST", "/api/v1/settlements", item)).body.tx_id);
  const at = Date.now() - 10_000;
  const subjects = [txId, ...(["batch", "withdrawal", "topup"] as const).map((kind) => newId(kind, new Date(at)))];
  const by = { actor: { type: "api_key", apiKeyId: key.id, partnerId: partnerId ?? "" }, requestId: null } as const;
  const partner = { partnerId: partnerId ?? "", apiKeyId: key.id, by, apiSecret: key.apiSecret, callbackSecret: "" };
  const events = ["settlement.executed", "batch.completed", "withdrawal.failed", "topup.completed"];
  for (const [index, subjectId] of subjects.entries()) {
    const { id } = await enqueueTestCallback(database.db, partner, "http://localhost:9/hook", { subjectId });
    await database.sql`update callbacks set event = ${events[index] ?? ""} where id = ${id}`;
    ids.push(id);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await database.sql`update callbacks set state = 'undelivered', due_at = null, undelivered_at = now() where id <> ${ids[3] ?? ""}`;
});
afterAll(() => database.close());

const listed = async (query = "", as = call) => {
  const { status, body } = await as("GET", `${CALLBACKS}${query}`);
  expect([status, body.code]).toEqual([200, undefined]);
  return (body.data as { id: string }[]).map(({ id }) => id);
};
const newest = () => ids.toReversed();

describe("a partner's callbacks", () => {
  it("are all in one list, newest first, by object, state, event and time, page by page", async () => {
    expect(await listed()).toEqual(newest());
    expect(await listed(`?object_id=${txId}`)).toEqual([ids[0]]);
    expect(await listed("?state=pending")).toEqual([ids[3]]);
    expect(await listed("?event=batch.completed")).toEqual([ids[1]]);
    expect(await listed(`?created_to=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([]);
    const first = (await call("GET", `${CALLBACKS}?limit=3`)).body;
    expect((first.data as unknown[]).length).toBe(3);
    expect(await listed(`?limit=3&cursor=${first.next_cursor}`)).toEqual([ids[0]]);
    const [one] = (await call("GET", `${CALLBACKS}?object_id=${txId}`)).body.data as Record<string, unknown>[];
    expect(one).toMatchObject({ id: ids[0], object_id: txId, event: "settlement.executed", state: "undelivered", attempts: [] });
    expect((await call("GET", `${CALLBACKS}/${ids[0]}`)).body).toEqual(one);
  });

  it("are seen by what a key may read, and by nobody else", async () => {
    expect(await listed("", reader)).toEqual([ids[1], ids[0]]);
    expect(await listed("", fiat)).toEqual([ids[3], ids[2]]);
    expect(await listed("", other)).toEqual([]);
    expect((await blind("GET", CALLBACKS)).body.code).toBe("scope_missing");
    for (const [as, id] of [
      [reader, ids[2]],
      [fiat, ids[0]],
      [other, ids[0]],
      [call, "cb_x"],
    ] as const)
      expect((await as("GET", `${CALLBACKS}/${id}`)).body.code).toBe("callback_not_found");
  });

  it("are sent again by a key that may write their object, once", async () => {
    for (const verb of ["resend", "attempt"]) {
      expect((await reader("POST", `${CALLBACKS}/${ids[0]}/${verb}`)).body).toMatchObject({
        code: "scope_missing",
        required_scope: "settlements:write",
      });
      for (const [as, id] of [
        [fiat, ids[0]],
        [other, ids[0]],
        [call, "cb_x"],
      ] as const)
        expect((await as("POST", `${CALLBACKS}/${id}/${verb}`)).body.code).toBe("callback_not_found");
    }
    const before = await database.sql`select id, state, series from callbacks order by id`;
    expect(before.filter(({ state }) => state === "pending").map(({ id }) => id)).toEqual([ids[3]]);
    const sent = await fiat("POST", `${CALLBACKS}/${ids[2]}/resend`);
    expect([sent.status, sent.body.state, sent.body.object_id]).toEqual([202, "pending", expect.stringMatching(/^wd_/)]);
    expect((await fiat("POST", `${CALLBACKS}/${ids[2]}/resend`)).body.code).toBe("invalid_state");
    expect((await call("POST", `${CALLBACKS}/${ids[1]}/attempt`)).status).toBe(202);
    const after = await database.sql`select id, state, series, extra_attempt_id is not null as asked from callbacks order by id`;
    expect(after.map((row) => ({ ...row }))).toEqual(
      before.map(({ id, state, series }) => ({
        id,
        state: id === ids[2] ? "pending" : state,
        series: id === ids[2] ? series + 1 : series,
        asked: id === ids[1],
      })),
    );
  });

  it("refuse an unknown state, event, object's cursor and parameter", async () => {
    for (const query of [
      "?state=lost",
      "?event=settlement.created",
      "?limit=0",
      "?limit=101",
      "?cursor=tx_1",
      "?object_id=",
      "?created_from=now",
      "?more=1",
    ])
      expect((await call("GET", `${CALLBACKS}${query}`)).status, query).toBe(422);
  });
});
