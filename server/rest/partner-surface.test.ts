import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineOperation, nothing } from "#contract/operation.ts";
import { SYSTEM } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { rotateApiKey } from "#server/services/access/rotate-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, type RequestParts, rawRequest, readAnswer, testContext, testSurfaceContext } from "#testing/surface.ts";
import { bind } from "./bind.ts";
import { partnerSurface, sandboxSurface } from "./partner-surface.ts";
import { handle } from "./surface.ts";

const decide = bind(
  defineOperation({
    id: "decide",
    summary: "Decides",
    method: "POST",
    path: "/admins/things/{id}",
    scope: null,
    caller: "operator",
    kind: "write",
    params: z.strictObject({ id: z.string() }),
    query: nothing,
    body: z.strictObject({ reason: z.string().min(8), list: z.array(z.int()).optional() }),
    bodyRequired: true,
    result: z.object({ id: z.string(), actor: z.string() }),
    status: 200,
    refusals: [],
  }),
  async (_ctx, { params, by }) => {
    if (params.id === "missing") throw new Refusal("settlement_not_found");
    return { body: { id: params.id, actor: by.actor.type } };
  },
);

let database: TestDatabase;
let ctx: Context;
let operator: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
  operator = await issueKey(ctx, { partnerId: null });
});
afterAll(() => database.close());

async function send(
  parts: RequestParts,
  apiKey: string | readonly string[] | null = operator.apiKey,
  surface = partnerSurface,
  mode: "sandbox" | "live" = "sandbox",
) {
  const request = { method: "POST", target: "/admins/things/1", body: '{"reason":"long enough"}', ...parts };
  const raw = rawRequest({ ...request, headers: { apiKey, "Content-Type": "application/json", ...parts.headers } });
  return readAnswer(await handle(surface, testSurfaceContext(ctx, { mode }), [decide], raw));
}

/** Of an operation that changes something. */
const CHALLENGE = `ApiKey, Bearer, HMAC-SHA256 realm="Service", headers="X-Service-Timestamp X-Service-Nonce X-Service-Signature"`;

describe("the partner-management surface", () => {
  it("lets an operator's key act as the operator", async () => {
    const answer = await send({});
    expect([answer.status, answer.body]).toEqual([200, { id: "1", actor: "operator_key" }]);
  });

  it("renders every refusal as detail, code and request id", async () => {
    const partner = await issueKey(ctx);
    const expired = await issueKey(ctx, { partnerId: null, expiresAt: new Date(Date.now() - 1) });
    const elsewhere = await issueKey(ctx, { partnerId: null, allowedIps: ["10.0.0.0/8"] });
    const answers = [
      await send({}, null),
      await send({}, `key_test_${"x".repeat(32)}`),
      await send({}, expired.apiKey),
      await send({}, [operator.apiKey, operator.apiKey]),
      await send({}, elsewhere.apiKey),
      await send({}, partner.apiKey),
      await send({ method: "GET" }),
      await send({ target: "/admins/other" }),
      await send({ target: "/admins/things/missing" }),
      await send({ body: "{" }),
      await send({ headers: { "Content-Type": "text/plain" } }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [401, "missing_api_key"],
      [401, "unknown_api_key"],
      [401, "revoked_api_key"],
      [400, "malformed_header"],
      [403, "ip_not_allowed"],
      [403, "forbidden"],
      [405, "method_not_allowed"],
      [404, "route_not_found"],
      [404, "settlement_not_found"],
      [400, "malformed_json"],
      [415, "unsupported_media_type"],
    ]);
    for (const answer of answers) {
      expect(Object.keys(answer.body).sort()).toEqual(["code", "detail", "request_id"]);
      expect(answer.body.request_id).toBe(answer.headers["X-Request-Id"]);
      expect(typeof answer.body.detail).toBe("string");
      expect(answer.headers["WWW-Authenticate"]).toBe(answer.status === 401 ? CHALLENGE : undefined);
      expect(answer.headers["X-Request-Id"]).toMatch(/^req_/);
    }
  });

  it("renders invalid fields as an HTTPValidationError", async () => {
    const answer = await send({ body: '{"reason":"short","list":[1,"x"],"more":1}', target: "/admins/things/1" });
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        detail: [
          { loc: ["body", "reason"], msg: expect.any(String), type: "too_short" },
          { loc: ["body", "list", 1], msg: "must be a whole number", type: "invalid_type" },
          { loc: ["body", "more"], msg: "is not a field of this operation", type: "extra_forbidden" },
        ],
        code: "validation_failed",
        request_id: answer.headers["X-Request-Id"],
      },
    ]);
    const query = await send({ target: "/admins/things/1?x=1" });
    expect(query.body.detail).toEqual([{ loc: ["query", "x"], msg: "is not a parameter of this operation", type: "extra_forbidden" }]);
    expect((await send({ body: "{}" })).body.detail).toEqual([{ loc: ["body", "reason"], msg: "is required", type: "missing" }]);
  });

  it("as the sandbox's controls does not exist in live mode, for nobody", async () => {
    expect((await send({}, operator.apiKey, sandboxSurface, "sandbox")).status).toBe(200);
    for (const apiKey of [operator.apiKey, null]) {
      const answer = await send({}, apiKey, sandboxSurface, "live");
      expect([answer.status, answer.body.code]).toEqual([404, "route_not_found"]);
    }
  });
});

describe("a key", () => {
  it("is refused from the moment it is revoked", async () => {
    const key = await issueKey(ctx, { partnerId: null });
    expect((await send({}, key.apiKey)).status).toBe(200);
    await revokeApiKey(ctx, { by: SYSTEM, id: key.id });
    await revokeApiKey(ctx, { by: SYSTEM, id: key.id });
    expect((await send({}, key.apiKey)).body.code).toBe("revoked_api_key");
  });

  it("that was rotated works next to its successor until the overlap ends", async () => {
    const key = await issueKey(ctx, { partnerId: null, name: "mine", allowedIps: ["127.0.0.1"] });
    const next = await rotateApiKey(ctx, { by: SYSTEM, id: key.id, mode: "test", overlapSeconds: 60 });
    expect(next).toMatchObject({ name: "mine", allowedIps: ["127.0.0.1"], partnerId: null });
    for (const apiKey of [key.apiKey, next.apiKey]) expect((await send({}, apiKey)).status).toBe(200);
    const later = { ...ctx, clock: { now: () => new Date(Date.now() + 60_000) } };
    const raw = rawRequest({
      method: "POST",
      target: "/admins/things/1",
      body: '{"reason":"long enough"}',
      headers: { apiKey: key.apiKey, "Content-Type": "application/json" },
    });
    expect(readAnswer(await handle(partnerSurface, testSurfaceContext(later), [decide], raw)).body.code).toBe("revoked_api_key");

    const last = await rotateApiKey(ctx, { by: SYSTEM, id: next.id, mode: "test", overlapSeconds: 0 });
    expect((await send({}, next.apiKey)).body.code).toBe("revoked_api_key");
    expect((await send({}, last.apiKey)).status).toBe(200);
    await expect(rotateApiKey(ctx, { by: SYSTEM, id: next.id, mode: "test", overlapSeconds: 60 })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is stored hashed and its secret sealed: the database holds neither", async () => {
    const key = await issueKey(ctx, { partnerId: null });
    expect(key.apiKey).toMatch(/^key_test_[A-Za-z0-9_-]{32}$/);
    expect(key.apiSecret).toMatch(/^sec_test_[A-Za-z0-9_-]{32}$/);
    const [row] =
      await database.sql`select row_to_json(k)::text || (select coalesce(string_agg(a.change::text, ''), '') from audit_entries a) as text from api_keys k where id = ${key.id}`;
    expect(row?.text).toContain(key.lastFour);
    for (const secret of [key.apiKey, key.apiSecret]) expect(row?.text).not.toContain(secret);
  });
});
