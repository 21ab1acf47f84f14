import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineOperation, nothing } from "#contract/operation.ts";
import { openDatabase } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { nonces } from "#db/schema/nonces.ts";
import { partners } from "#db/schema/partners.ts";
import type { Context } from "#server/context.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, type LogLine, rawRequest, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { bind } from "./bind.ts";
import { ECHO } from "./echo.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";

const write = bind(
  defineOperation({
    id: "write_thing",
    summary: "Writes",
    method: "POST",
    path: "/api/v1/things",
    scope: "settlements:write",
    caller: "signed",
    kind: "write",
    params: nothing,
    query: nothing,
    body: z.strictObject({ n: z.int(), text: z.string().optional() }),
    bodyRequired: true,
    result: z.object({ n: z.int() }),
    status: 201,
    refusals: [],
  }),
  async (ctx, { body, by, partnerId }) => {
    await insertAuditEntry(ctx.db, { by, partnerId, action: "thing", objectId: "thing", change: {}, now: new Date() });
    return { body: { n: body.n } };
  },
);
const read = bind(
  defineOperation({
    id: "read_thing",
    summary: "Reads",
    method: "GET",
    path: "/api/v1/things/{id}",
    scope: "settlements:read",
    caller: "signed",
    kind: "read",
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ limit: z.string().optional() }),
    body: nothing,
    bodyRequired: false,
    result: z.object({ id: z.string(), limit: z.string().nullable() }),
    status: 200,
    refusals: [],
  }),
  async (_ctx, { params, query }) => ({ body: { id: params.id, limit: query.limit ?? null } }),
);
const BINDINGS = [write, read, ECHO];

let database: TestDatabase;
let ctx: Context;
let key: IssuedApiKey;
const lines: LogLine[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db, lines);
  key = await issueKey(ctx);
});
afterAll(() => database.close());

const send = async (raw: Parameters<typeof handle>[3], surfaceContext = testSurfaceContext(ctx)) =>
  readAnswer(await handle(settlementSurface, surfaceContext, BINDINGS, raw));
const POST = { method: "POST", target: "/api/v1/things", body: '{"n":1}' } as const;

describe("the order of the checks", () => {
  // Each request is wrong at its own step and at every later one, so only the order decides the code.
  const LATE = { "Content-Type": "text/plain", "Idempotency-Key": " " };
  const BAD_BODY = '{"n":';
  let wrongEverywhere: IssuedApiKey;
  let revoked: IssuedApiKey;
  let expired: IssuedApiKey;
  beforeAll(async () => {
    wrongEverywhere = await issueKey(ctx, { scopes: ["settlements:read"], allowedIps: ["10.0.0.0/8"] }, { status: "suspended" });
    revoked = await issueKey(ctx, { scopes: [], allowedIps: ["10.0.0.0/8"] });
    await database.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, revoked.id));
    expired = await issueKey(ctx, { expiresAt: new Date(Date.now() - 1) });
  });
  const wrong = { ...POST, target: "/api/v1/things?unknown=1", body: BAD_BODY };

  it.each([
    ["no such route", "route_not_found", 404, () => ({ target: "/api/v1/things/", headers: { Authorization: ["a", "b"] } })],
    ["no such method", "method_not_allowed", 405, () => ({ method: "PUT", headers: { Authorization: ["a", "b"] } })],
    ["a doubled key", "malformed_header", 400, () => ({ body: "x".repeat(65_537), headers: { Authorization: ["a", "a"] } })],
    ["a doubled timestamp", "malformed_header", 400, () => ({ headers: { "x-service-timestamp": ["1", "1"] } })],
    ["a doubled nonce", "malformed_header", 400, () => ({ headers: { "X-Service-Nonce": ["1", ""] } })],
    ["a doubled signature", "malformed_header", 400, () => ({ headers: { "X-SERVICE-SIGNATURE": ["1", "2"] } })],
    ["a body too large", "body_too_large", 413, () => ({ body: "x".repeat(65_537), headers: { Authorization: null } })],
    ["no key", "missing_credentials", 401, () => ({ headers: { Authorization: null, "X-Service-Timestamp": "never" } })],
    ["an empty timestamp", "missing_credentials", 401, () => ({ headers: { Authorization: "nobody", "X-Service-Timestamp": "" } })],
    ["no nonce", "missing_credentials", 401, () => ({ headers: { Authorization: "nobody", "X-Service-Nonce": null } })],
    ["no signature", "missing_credentials", 401, () => ({ headers: { Authorization: "nobody", "X-Service-Signature": null } })],
    [
      "an unknown key",
      "unknown_api_key",
      401,
      () => ({ headers: { Authorization: `key_test_${"a".repeat(32)}`, "X-Service-Timestamp": "0" } }),
    ],
    ["something that is no key", "unknown_api_key", 401, () => ({ headers: { Authorization: "Bearer x", "X-Service-Timestamp": "0" } })],
    ["a revoked key", "revoked_api_key", 401, () => ({ headers: { Authorization: revoked.apiKey, "X-Service-Timestamp": "0" } })],
    ["an expired key", "revoked_api_key", 401, () => ({ headers: { Authorization: expired.apiKey, "X-Service-Timestamp": "0" } })],
    ["an old timestamp", "stale_timestamp", 401, () => ({ headers: { "X-Service-Timestamp": "1000000000", "X-Service-Nonce": "no" } })],
    ["an invalid nonce", "invalid_nonce", 401, () => ({ headers: { "X-Service-Nonce": "no", "X-Service-Signature": "00" } })],
    [
      "a nonce of another version",
      "invalid_nonce",
      401,
      () => ({ headers: { "X-Service-Nonce": "01890a5d-ac96-774b-bcce-b302099a8057", "X-Service-Signature": "00" } }),
    ],
    ["a wrong signature", "signature_mismatch", 401, () => ({ headers: { "X-Service-Signature": "0".repeat(64) } })],
    ["a truncated signature", "signature_mismatch", 401, () => ({ headers: { "X-Service-Signature": "00" } })],
  ])("reports %s before anything else", async (_name, code, status, parts) => {
    const { headers, ...rest } = parts();
    const answer = await send(signedRequest(wrongEverywhere, { ...wrong, ...rest, headers: { ...LATE, ...headers } }));
    expect([answer.body.code, answer.status]).toEqual([code, status]);
    expect(answer.headers["Content-Type"]).toBe("application/problem+json");
    expect(answer.body.type).toBe(`http://localhost:3000/docs/errors/${code}`);
    expect(answer.headers["X-Request-Id"]).toBe(answer.body.request_id);
    if (status === 405) expect(answer.headers.Allow).toBe("POST");
    const challenge = 'HMAC-SHA256 realm="Service", headers="Authorization X-Service-Timestamp X-Service-Nonce X-Service-Signature"';
    expect(answer.headers["WWW-Authenticate"]).toBe(status === 401 ? challenge : undefined);
  });

  it("goes on from a good signature to nonce, address, scope, partner, media type, encoding, JSON, values", async () => {
    const nonce = randomUUID();
    const shown: unknown[] = [];
    const next = async (parts: Parameters<typeof signedRequest>[1]) => {
      const answer = await send(signedRequest(wrongEverywhere, { ...wrong, ...parts, headers: { ...LATE, ...parts.headers } }));
      shown.push(answer.body.code ?? answer.status);
    };
    const holder = (values: Partial<typeof apiKeys.$inferInsert>) =>
      database.db.update(apiKeys).set(values).where(eq(apiKeys.id, wrongEverywhere.id));
    await next({ nonce });
    await next({ nonce });
    await holder({ allowedIps: ["127.0.0.1"] });
    await next({});
    await holder({ scopes: ["settlements:write"] });
    await next({});
    await database.db
      .update(partners)
      .set({ status: "active" })
      .where(eq(partners.id, String(wrongEverywhere.partnerId)));
    await next({});
    const json = { "Content-Type": "application/json; charset=utf-8" };
    await next({ headers: json, body: Buffer.from([0x7b, 0xff]) });
    await next({ headers: json });
    await next({ headers: json, body: '{"n":1}' });
    await next({ headers: json, target: "/api/v1/things", body: '{"n":"1"}' });
    await next({ headers: json, target: "/api/v1/things", body: '{"n":1}' });
    await next({ headers: { ...json, "Idempotency-Key": null }, target: "/api/v1/things", body: '{"n":1}' });
    expect(shown).toEqual([
      "ip_not_allowed",
      "nonce_reused",
      "scope_missing",
      "partner_suspended",
      "unsupported_media_type",
      "invalid_utf8",
      "malformed_json",
      "validation_failed",
      "validation_failed",
      "malformed_header",
      201,
    ]);
  });

  it("limits the rate after the signature and before the nonce, so that the same request may be sent again", async () => {
    const limited = testSurfaceContext(ctx, { rateLimits: { writesPerSecond: 1, readsPerSecond: 0 } });
    const surfaceContext = { ...limited, limiter: createRateLimiter(() => 0) };
    for (let count = 0; count < 2; count += 1) await send(signedRequest(key, POST), surfaceContext);
    const nonce = randomUUID();
    const refused = await send(signedRequest(key, { ...POST, nonce }), surfaceContext);
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(refused.headers).toMatchObject({ "Retry-After": "1", "RateLimit-Policy": '"write";q=1;w=1', RateLimit: '"write";r=0;t=2' });
    expect((await send(signedRequest(key, { ...POST, headers: { "X-Service-Signature": "00" } }), surfaceContext)).body.code).toBe(
      "signature_mismatch",
    );
    expect((await send(signedRequest(key, { ...POST, nonce }))).status).toBe(201);
  });
});

describe("a signed request", () => {
  it("may be 300 whole seconds off either way, and not one more", async () => {
    const at = (now: number) => ({ ...ctx, clock: { now: () => new Date(now) } });
    for (const [offset, code] of [
      [300_999, undefined],
      [301_000, "stale_timestamp"],
      [-300_000, undefined],
      [-300_001, "stale_timestamp"],
    ] as const) {
      const base = 1_800_000_000_000;
      const answer = await send(
        signedRequest(key, { target: "/api/v1/things/a", timestamp: String(base / 1_000) }),
        testSurfaceContext(at(base + offset)),
      );
      expect([offset, answer.body.code]).toEqual([offset, code]);
      if (code)
        expect(answer.body).toMatchObject({
          server_time: new Date(base + offset).toISOString(),
          skew_seconds: -Math.floor(offset / 1_000),
        });
    }
  });

  it.each(["", " ", "1e9", "1800000000.0", "-1", "+1800000000", "0x6b49d200", "1".repeat(40)])(
    "needs digits alone for a timestamp, not %j",
    async (timestamp) => {
      const answer = await send(
        signedRequest(key, { target: "/api/v1/things/a", timestamp: timestamp || "x", headers: { "X-Service-Timestamp": timestamp } }),
      );
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe(timestamp === "" ? "missing_credentials" : "stale_timestamp");
    },
  );

  it("takes hex in either case and compares nonces in lower case", async () => {
    const nonce = randomUUID();
    const first = signedRequest(key, { target: "/api/v1/things/a", nonce });
    const signature = first.headers.get("x-service-signature")?.[0] ?? "";
    const timestamp = first.headers.get("x-service-timestamp")?.[0] ?? "";
    const upper = { "X-Service-Signature": signature.toUpperCase(), "X-Service-Nonce": nonce.toUpperCase() };
    expect((await send(signedRequest(key, { target: "/api/v1/things/a", timestamp, headers: upper }))).status).toBe(200);
    expect((await send(first)).body.code).toBe("nonce_reused");
  });

  it.each(["a=%7e&b=%7E", "a='", "a+b%20c", "a=1&&b=2", "nxtPx=1", "b=2&a=1", "a=%zz", "?", "a=1&a=1"])(
    "is verified over the query %s as it was sent",
    async (query) => {
      const answer = await send(signedRequest(key, { method: "POST", target: `/api/v1/echo?${query}` }));
      expect([answer.status, answer.body.query]).toEqual([200, query]);
      const other = signedRequest(key, { method: "POST", target: `/api/v1/echo?${query}&` });
      expect((await send({ ...other, query })).body.code).toBe("signature_mismatch");
    },
  );

  it("learns what the server read when its signature does not match", async () => {
    const answer = await send(signedRequest({ ...key, apiSecret: "sec_test_other" }, { ...POST, target: "/api/v1/things?x=%7e" }));
    expect(answer.body.received).toMatchObject({ method: "POST", path: "/api/v1/things", query: "x=%7e", body_length: 7 });
    expect(Object.keys(Object(answer.body.received)).sort()).toEqual([
      "body_length",
      "body_sha256",
      "method",
      "path",
      "query",
      "signing_string_sha256",
    ]);
  });

  it("burns no nonce unless its signature holds", async () => {
    const nonce = randomUUID();
    await send(signedRequest(key, { ...POST, nonce, headers: { "X-Service-Signature": "0".repeat(64) } }));
    expect((await send(signedRequest(key, { ...POST, nonce }))).status).toBe(201);
  });

  it("wins its nonce exactly once of fifty at a time, over two machines' pools", async () => {
    const other = openDatabase({ url: database.url, applicationName: "other", maxConnections: 8, role: database.webRole });
    const doors = [testSurfaceContext(ctx), testSurfaceContext({ ...ctx, db: other.db })];
    const nonce = randomUUID();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => (await send(signedRequest(key, { ...POST, nonce }), doors[index % 2])).status),
    );
    await other.close();
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(49);
    expect(await database.db.select().from(nonces).where(eq(nonces.nonce, nonce))).toHaveLength(1);
  });

  it("may bring a nonce that another key has burnt", async () => {
    const other = await issueKey(ctx);
    const nonce = randomUUID();
    expect((await send(signedRequest(key, { ...POST, nonce }))).status).toBe(201);
    expect((await send(signedRequest(other, { ...POST, nonce }))).status).toBe(201);
  });

  it("of an operator's key is refused: it has no partner to act for", async () => {
    const operator = await issueKey(ctx, { partnerId: null });
    expect((await send(signedRequest(operator, POST))).body.code).toBe("scope_missing");
  });

  it("keeps last_used_at to the minute, and that of each operation to the hour", async () => {
    const busy = await issueKey(ctx);
    const uses = async () => (await database.db.select().from(apiKeys).where(eq(apiKeys.id, busy.id)))[0];
    const started = Date.now();
    await send(signedRequest(busy, POST));
    const first = await uses();
    await send(signedRequest(busy, POST));
    expect(await uses()).toEqual(first);
    await database.sql`update api_keys set last_used_at = ${new Date(started - 61_000).toISOString()} where id = ${busy.id}`;
    await send(signedRequest(busy, POST));
    const write_thing = (await uses())?.lastUsedAt?.toISOString() ?? "";
    expect(write_thing >= new Date(started).toISOString()).toBe(true);
    // Another operation is recorded although the key was used within the minute.
    await send(signedRequest(busy, { method: "GET", target: "/api/v1/things/1" }));
    expect((await uses())?.lastUses).toEqual({ write_thing, read_thing: (await uses())?.lastUsedAt?.toISOString() });
  });
});

describe("echo", () => {
  it("answers the five components for any bytes under any content type, without a scope", async () => {
    const bare = await issueKey(ctx, { scopes: [] });
    const parts = {
      method: "POST",
      target: "/api/v1/echo?b=2&a=%C3%A4",
      body: Buffer.from([0, 255, 254]),
      headers: { "Content-Type": "image/png" },
    };
    const answer = await send(signedRequest(bare, parts));
    expect(answer.status).toBe(200);
    const again = { ...parts, headers: { ...parts.headers, "Idempotency-Key": "echo-1" } };
    const [first, second] = [await send(signedRequest(bare, again)), await send(signedRequest(bare, again))];
    expect([second.headers["Idempotent-Replayed"], second.body]).toEqual(["true", first.body]);
    expect(answer.body).toMatchObject({ method: "POST", path: "/api/v1/echo", query: "b=2&a=%C3%A4", body_length: 3 });
    expect(Object.keys(answer.body)).toEqual([
      "timestamp",
      "method",
      "path",
      "query",
      "body_length",
      "body_sha256",
      "signing_string_sha256",
    ]);
  });
});

describe("a HEAD", () => {
  it("is signed as such and answered with the headers of its GET", async () => {
    const answer = await send(signedRequest(key, { method: "HEAD", target: "/api/v1/things/a?limit=1" }));
    expect([answer.status, answer.headers["Content-Type"]]).toEqual([200, "application/json"]);
    const unsigned = await send(rawRequest({ method: "HEAD", target: "/api/v1/things/a" }));
    expect(unsigned.body.code).toBe("missing_credentials");
  });

  it("is allowed where GET is, and Allow says so, and nowhere else", async () => {
    expect((await send(signedRequest(key, { method: "DELETE", target: "/api/v1/things/a" }))).headers.Allow).toBe("GET, HEAD");
    expect((await send(signedRequest(key, { method: "HEAD", target: "/api/v1/things" }))).headers.Allow).toBe("POST");
  });
});

describe("what a request says", () => {
  const body = async (text: string | Uint8Array, type = "application/json") => {
    const answer = await send(signedRequest(key, { ...POST, body: text, headers: { "Content-Type": type } }));
    return answer.body.code ?? answer.status;
  };

  it.each([
    ['{"n":1.0}', 201],
    ['{"n":1e2}', 201],
    ['{"n":9007199254740991}', 201],
    ['{"n":9007199254740991.4}', "validation_failed"],
    ['{"n":9007199254740993}', "validation_failed"],
    ['{"n":100.00000000000000000001}', "validation_failed"],
    ['{"n":100.5}', "validation_failed"],
    ['{"n":"100"}', "validation_failed"],
    ['{"n":null}', "validation_failed"],
    ["{}", "validation_failed"],
    ["[]", "validation_failed"],
    ['{"n":1,"m":2}', "validation_failed"],
    ['{"n":1,"__proto__":{}}', "validation_failed"],
    ['{"n":1,"text":"a\\u0000b"}', "validation_failed"],
    ['{"n":1,"text":"\\ud800"}', "validation_failed"],
    ['{"n":1,"n":1}', "malformed_json"],
    ["", "malformed_json"],
    ['\ufeff{"n":1}', "malformed_json"],
    [Buffer.from([0x22, 0xc3, 0x22]), "invalid_utf8"],
    [Buffer.from('{"n":1,"text":"\ud83d"}', "utf16le"), "invalid_utf8"],
  ])("%j is %s", async (text, outcome) => {
    expect(await body(text)).toBe(outcome);
  });

  it.each([
    ["application/json", 201],
    ["application/json;charset=utf-8", 201],
    ["Application/JSON; Charset=UTF-8", 201],
    ['application/json; charset="utf-8"', 201],
    ["application/json; charset=latin1", "unsupported_media_type"],
    ["application/json; version=1", "unsupported_media_type"],
    ["application/problem+json", "unsupported_media_type"],
    ["application/jsonp", "unsupported_media_type"],
    ["text/json", "unsupported_media_type"],
    ["application/x-www-form-urlencoded", "unsupported_media_type"],
    ["", "unsupported_media_type"],
  ])("a body of type %j is %s", async (type, outcome) => {
    expect(await body('{"n":1}', type)).toBe(outcome);
  });

  it.each([
    ["identity", 201],
    ["", 201],
    ["gzip", "unsupported_media_type"],
    ["identity, br", "unsupported_media_type"],
  ])("a body of content coding %j is %s", async (coding, outcome) => {
    const answer = await send(signedRequest(key, { ...POST, headers: { "Content-Encoding": coding } }));
    expect(answer.body.code ?? answer.status).toBe(outcome);
  });

  it.each([
    ['{"n":100000000000000000000}', "must be at most 9007199254740991"],
    ['{"n":-1e30}', "must be at least -9007199254740991"],
    ['{"n":1.5}', "must be a whole number"],
    ['{"n":"1"}', "must be a whole number"],
  ])("%s is reported once, in words of our own", async (text, message) => {
    const answer = await send(signedRequest(key, { ...POST, body: text }));
    expect(answer.body.errors).toEqual([{ pointer: "/n", code: expect.any(String), message }]);
  });

  it("names every fault by its place, a parameter's by its name", async () => {
    const answer = await send(signedRequest(key, { ...POST, body: '{"x/y~":1,"text":5}' }));
    expect(answer.body.errors).toEqual([
      { pointer: "/n", code: "required", message: "is required" },
      { pointer: "/text", code: "invalid_type", message: "must be of type string" },
      { pointer: "/x~1y~0", code: "unknown", message: "is not a field of this operation" },
    ]);
    const query = await send(signedRequest(key, { target: "/api/v1/things/a?nope=1" }));
    expect([query.status, query.body.errors]).toEqual([
      422,
      [{ parameter: "nope", code: "unknown", message: "is not a parameter of this operation" }],
    ]);
  });

  it.each([
    ["limit=1", 200],
    ["limit=1&&", 200],
    ["limit=a+b%20c", 200],
    ["limit=%7e&limit=%7e", 422],
    ["limit=%zz", 422],
    ["limit=%ff", 422],
    ["limit=%00", 422],
    ["%6cimit=1", 200],
    ["limit[]=1", 422],
    ["__proto__=1", 422],
  ])("the query %s is %s", async (query, status) => {
    expect((await send(signedRequest(key, { target: `/api/v1/things/a?${query}` }))).status).toBe(status);
  });

  it("reads parameters of the path as they were encoded, and looks at no body or type of a GET", async () => {
    const answer = await send(signedRequest(key, { target: "/api/v1/things/a%2Fb", body: "not json", headers: { "Content-Type": "x" } }));
    expect(answer.body).toEqual({ id: "a/b", limit: null });
    expect((await send(signedRequest(key, { target: "/api/v1/things/%zz" }))).body).toEqual({ id: "%zz", limit: null });
  });
});

describe("every answer", () => {
  it("is noted in one line without a secret", async () => {
    lines.length = 0;
    const request = signedRequest(key, { ...POST, target: "/api/v1/things?api_key=x" });
    await send(request);
    expect(lines.filter((line) => line.message === "request")).toEqual([
      expect.objectContaining({
        operation: "write_thing",
        status: 422,
        code: "validation_failed",
        request_id: request.requestId,
        api_key_id: key.id,
        partner_id: key.partnerId,
      }),
    ]);
    const text = JSON.stringify(lines);
    for (const secret of [key.apiKey, key.apiSecret, request.headers.get("x-service-signature")?.[0] ?? "?"])
      expect(text).not.toContain(secret);
  });

  it("to something unforeseen is a 500 that reveals nothing, with the cause in the log", async () => {
    lines.length = 0;
    const broken = {
      ...ctx,
      vault: {
        ...ctx.vault,
        open: () => {
          throw new Error("the vault is open: sesame");
        },
      },
    };
    const answer = await send(signedRequest(key, POST), testSurfaceContext(broken));
    expect([answer.status, answer.body.code]).toEqual([500, "internal_error"]);
    expect(JSON.stringify(answer)).not.toContain("sesame");
    expect(lines.find((line) => line.level === "error")).toMatchObject({
      code: "internal_error",
      err: expect.objectContaining({ message: "the vault is open: sesame" }),
    });
  });

  it("to an unsigned request writes nothing", async () => {
    const counts = async () => (await database.sql`select (select count(*) from nonces) + (select count(*) from audit_entries) as n`)[0]?.n;
    const [before, forged] = [await counts(), { "X-Service-Signature": "0".repeat(64) }];
    for (const request of [rawRequest(POST), signedRequest(key, { ...POST, headers: forged })]) await send(request);
    expect(await counts()).toBe(before);
  });
});
