import { afterAll, beforeAll, expect, it } from "vitest";
import { leakedKeyOperation } from "#contract/leaked-key.ts";
import type { Context } from "#server/context.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addOperatorKey, addPerson } from "#testing/people.ts";
import { issueKey, rawRequest, readAnswer, testContext, testSurfaceContext } from "#testing/surface.ts";
import { LEAKED_KEY } from "./leaked-key-operation.ts";
import { openSurface } from "./open-surface.ts";
import { handle } from "./surface.ts";

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
});
afterAll(() => database.close());

function reporting(readsPerSecond = 0) {
  const plain = testSurfaceContext(ctx);
  const rateLimits = { writesPerSecond: readsPerSecond, readsPerSecond };
  const surfaceContext = { ...plain, settings: { ...plain.settings, rateLimits } };
  return async (body: object) => {
    const headers = { "content-type": "application/json" };
    const request = rawRequest({ method: "POST", target: leakedKeyOperation.path, headers, body: JSON.stringify(body) });
    return readAnswer(await handle(openSurface, surfaceContext, [LEAKED_KEY], request));
  };
}
const inForce = async () => (await database.sql`select id from api_keys where revoked_at is null`).map(({ id }) => id);

it("ends the key and what it made, and notifies its owners once; any other pair changes nothing and gets the same answer", async () => {
  const key = await issueKey(ctx);
  const other = await issueKey(ctx);
  const { partnerId } = key;
  const { actor } = await addOperatorKey(database.db, null, { partnerId, madeByKey: key.id });
  const child = { id: actor.type === "operator_key" ? actor.apiKeyId : "" };
  const report = reporting();
  const owner = await addPerson(database.db, "owner", partnerId);
  const found = { api_key: key.apiKey, api_secret: key.apiSecret };
  const wrong = [
    { ...found, api_secret: other.apiSecret },
    { ...found, api_key: other.apiKey },
    { ...found, api_key: `key_test_${"x".repeat(32)}` },
    { ...found, api_key: "nonsense" },
  ];
  const answers = [];
  for (const body of wrong) answers.push(await report(body));
  expect((await inForce()).toSorted()).toEqual([key.id, other.id, child.id].toSorted());
  answers.push(await report({ ...found, found_at: "https://example.com/config.js" }), await report(found));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [202, { received: true }]));
  expect(await inForce()).toEqual([other.id]);
  const entries =
    await database.sql`select object_id, change ->> 'found_at' as at from audit_entries where action = 'api_key.found_in_public'`;
  expect(entries).toEqual([{ object_id: key.id, at: "https://example.com/config.js" }]);
  const notice =
    await database.sql`select detail from notifications where user_id = ${owner.id} and kind = 'key_changed' and detail like '%public%'`;
  expect(notice).toHaveLength(1);
});

it("takes so many reports from one address and no more", async () => {
  const report = reporting(1);
  const body = { api_key: "nonsense", api_secret: "nonsense" };
  const answers = [await report({ api_key: "nonsense" }), await report(body), await report(body)];
  expect(answers.map(({ status }) => status)).toEqual([422, 202, 429]);
});
