import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertApiRequests } from "#db/queries/access/api-requests.ts";
import { apiRequests } from "#db/schema/api-requests.ts";
import { type Scope, SYSTEM, scopesOf } from "#domain/access.ts";
import type { ArrivedApiRequest } from "#domain/api-request.ts";
import { newId } from "#domain/ids.ts";
import { sign } from "#domain/signing.ts";
import type { Context } from "#server/context.ts";
import { explainRejectedSignature } from "#server/services/access/explain-rejected-signature.ts";
import { forgetRefusedBodies } from "#server/services/access/forget-refused-bodies.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { listApiRequests, readApiRequest, summarizeApiRequests } from "#server/services/access/list-api-requests.ts";
import { openApiLog } from "#server/services/access/log-api-requests.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { tryRevocation, tryRights } from "#server/services/access/try-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate } from "#testing/factories.ts";
import { issueKey, type LogLine, readAnswer, signedRequest, TEST_SETTINGS, testContext } from "#testing/surface.ts";
import type { RawRequest } from "./raw-request.ts";
import { SETTLEMENTS } from "./settlement-operations.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";
import { openLoggingSurfaceContext, type SurfaceContext } from "./surface-context.ts";

const BODY = JSON.stringify({
  source_amount: 100_000,
  source_currency: "KES",
  destination_currency: "USDT",
  external_merchant_id: "shop",
  chain: "eip155:31337",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
});
const TARGET = "/api/v1/settlements";

describe("the API log", () => {
  let database: TestDatabase;
  let ctx: Context;
  let surfaceContext: SurfaceContext;
  let key: IssuedApiKey & { partnerId: string | null };
  let stranger: typeof key;
  const lines: LogLine[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    ctx = testContext(database.db, lines);
    surfaceContext = openLoggingSurfaceContext(ctx, TEST_SETTINGS);
    key = await issueKey(ctx);
    stranger = await issueKey(ctx);
    await addTerms(database.db);
    await setRate(database.db, "0.0077");
  });
  afterAll(async () => {
    await surfaceContext.apiLog.drain();
    await database.close();
  });

  const ask = async (request: RawRequest) => readAnswer(await handle(settlementSurface, surfaceContext, SETTLEMENTS, request));
  const logged = async (partnerId: string | null, filters = {}) => {
    await surfaceContext.apiLog.drain();
    return (await listApiRequests(ctx, { partnerId, filters })).items;
  };
  const partnerOf = ({ partnerId }: typeof key) => partnerId ?? "";

  it("keeps what each request of a known key was and how it was answered, linked to its settlement", async () => {
    const create = signedRequest(key, { method: "POST", target: TARGET, body: BODY });
    const { body } = await ask(create);
    const read = signedRequest(key, { target: `${TARGET}/${body.tx_id}?unknown=1` });
    await ask(read);
    const cancel = JSON.stringify({ tx_id: body.tx_id });
    await ask(signedRequest(key, { method: "POST", target: `${TARGET}/cancel`, body: cancel }));
    const found = await logged(partnerOf(key), { settlementId: body.tx_id });
    expect(found.map(({ method, operation, status, code }) => [method, operation, status, code])).toEqual([
      ["POST", "cancel_settlement", 200, null],
      ["GET", "get_settlement", 422, "validation_failed"],
      ["POST", "create_settlement", 201, null],
    ]);
    expect(found[1]).toMatchObject({ id: read.requestId, path: `${TARGET}/${body.tx_id}`, query: "unknown=1", address: "127.0.0.1" });
    expect(found[2]?.durationMs).toBeGreaterThan(0);
    expect(await logged(partnerOf(stranger))).toEqual([]);
    await expect(explainRejectedSignature(ctx, { partnerId: partnerOf(key), requestId: create.requestId })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("marks an answer that an Idempotency-Key replayed", async () => {
    const headers = { "Idempotency-Key": randomUUID() };
    await ask(signedRequest(key, { method: "POST", target: TARGET, body: BODY, headers }));
    const again = signedRequest(key, { method: "POST", target: TARGET, body: BODY, headers });
    await ask(again);
    expect((await logged(partnerOf(key))).find(({ id }) => id === again.requestId)).toMatchObject({ replayed: true, status: 201 });
  });

  it("names the code of a refusal that an Idempotency-Key replayed", async () => {
    const cancelUnknown = async () => {
      const body = JSON.stringify({ tx_id: "tx_00000000000000000000000000" });
      const request = signedRequest(key, { method: "POST", target: `${TARGET}/cancel`, body, headers: { "Idempotency-Key": "unknown" } });
      await ask(request);
      return (await logged(partnerOf(key))).find(({ id }) => id === request.requestId);
    };
    const first = await cancelUnknown();
    expect(first).toMatchObject({ replayed: false, status: 404, code: "settlement_not_found" });
    expect(await cancelUnknown()).toMatchObject({ replayed: true, status: 404, code: "settlement_not_found" });
  });

  it("does not keep requests of unknown keys", async () => {
    const before = (await logged(null)).length;
    await ask(signedRequest({ ...key, apiKey: `key_test_${"x".repeat(32)}` }, { target: TARGET }));
    expect((await logged(null)).length).toBe(before);
  });

  it("explains a refused signature to the partner's own people alone, and gives nothing away", async () => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const pretty = JSON.stringify(JSON.parse(BODY), null, 2);
    const signature = sign(key.apiSecret, { timestamp, method: "POST", path: TARGET, query: "", body: Buffer.from(pretty) });
    const request = signedRequest(key, {
      method: "POST",
      target: TARGET,
      body: BODY,
      timestamp,
      headers: { "X-Service-Signature": signature },
    });
    const answer = await ask(request);
    expect(answer.body).toMatchObject({ status: 401, code: "signature_mismatch" });
    await surfaceContext.apiLog.drain();
    const explained = await explainRejectedSignature(ctx, { partnerId: partnerOf(key), requestId: request.requestId });
    expect(explained.verdict.mistakes.map(({ id }) => id)).toEqual(["body_pretty"]);
    expect(explained.components).toEqual({ timestamp, method: "POST", path: TARGET, query: "", body: BODY });
    expect(explained.checks.filter(({ outcome }) => outcome !== "passed").map(({ name }) => name)).toEqual(["signature"]);
    const right = sign(key.apiSecret, { timestamp, method: "POST", path: TARGET, query: "", body: Buffer.from(BODY) });
    for (const hidden of [key.apiKey, key.apiSecret, right]) expect(JSON.stringify(explained)).not.toContain(hidden);
    await expect(explainRejectedSignature(ctx, { partnerId: partnerOf(stranger), requestId: request.requestId })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("knows the API key, and the secret of another key of the partner, where they were used as the secret", async () => {
    const other = await issueKey(ctx, { partnerId: key.partnerId, name: "Shop" });
    for (const [apiSecret, mistake] of [
      [key.apiKey, "api_key_as_secret"],
      [other.apiSecret, "secret_of_another_key"],
    ] as const) {
      const request = signedRequest({ ...key, apiSecret }, { target: `${TARGET}?limit=1` });
      await ask(request);
      await surfaceContext.apiLog.drain();
      const { verdict } = await explainRejectedSignature(ctx, { partnerId: partnerOf(key), requestId: request.requestId });
      expect(verdict.mistakes[0]?.id).toBe(mistake);
    }
  });

  it("distinguishes stale timestamps and used nonces from wrong signatures", async () => {
    const nonce = randomUUID();
    await ask(signedRequest(key, { target: TARGET, nonce }));
    const replay = signedRequest(key, { target: TARGET, nonce });
    const stale = signedRequest(key, { target: TARGET, timestamp: String(Date.now()) });
    for (const request of [replay, stale]) expect((await ask(request)).status).toBe(401);
    await surfaceContext.apiLog.drain();
    const failed = async ({ requestId }: RawRequest) =>
      (await explainRejectedSignature(ctx, { partnerId: partnerOf(key), requestId })).checks.filter(({ outcome }) => outcome === "failed");
    expect((await failed(replay)).map(({ name }) => name)).toEqual(["nonce_unused"]);
    const [skew] = await failed(stale);
    expect(skew).toMatchObject({ name: "timestamp_skew", sentence: expect.stringContaining("It looks like milliseconds") });
  });

  it("shows which header was missing and that a key had ended, where the key is known", async () => {
    const partnerId = partnerOf(key);
    const ended = await issueKey(ctx, { partnerId });
    await revokeApiKey(ctx, { by: SYSTEM, id: ended.id });
    const bare = signedRequest(key, { target: TARGET, headers: { "X-Service-Nonce": null, "X-Service-Signature": null } });
    const late = signedRequest(ended, { target: TARGET });
    expect((await ask(bare)).body.code).toBe("missing_credentials");
    expect((await ask(late)).body.code).toBe("revoked_api_key");
    await surfaceContext.apiLog.drain();
    const failed = async ({ requestId }: RawRequest) =>
      (await explainRejectedSignature(ctx, { partnerId, requestId })).checks.filter(({ outcome }) => outcome === "failed");
    expect(await failed(bare)).toEqual([
      { name: "headers", outcome: "failed", sentence: "Missing: X-Service-Nonce, X-Service-Signature." },
    ]);
    expect((await failed(late)).map(({ name }) => name)).toEqual(["key"]);
  });

  it("explains to the operator's people whosever request it was, with no other partner's secrets", async () => {
    const request = signedRequest({ ...key, apiSecret: stranger.apiSecret }, { target: TARGET });
    await ask(request);
    await surfaceContext.apiLog.drain();
    const { verdict } = await explainRejectedSignature(ctx, { requestId: request.requestId });
    expect(verdict.outcome).toBe("unknown");
    await expect(readApiRequest(ctx, { partnerId: partnerOf(stranger), requestId: request.requestId })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("walks in both directions over the same rows", async () => {
    const partnerId = partnerOf(key);
    const first = await listApiRequests(ctx, { partnerId, limit: 3 });
    const second = await listApiRequests(ctx, { partnerId, limit: 3, position: first.older });
    const back = await listApiRequests(ctx, { partnerId, limit: 3, position: second.newer, direction: "newer" });
    expect(back.items).toEqual(first.items);
    expect([first.newer, back.newer]).toEqual([null, null]);
    expect(back.older).toEqual(first.older);
  });

  it("pages without repeating or skipping, and counts by class of status and by refusal", async () => {
    const partnerId = partnerOf(key);
    const all = await logged(partnerId);
    const paged: string[] = [];
    for (let position = null; ; ) {
      const page = await listApiRequests(ctx, { partnerId, limit: 2, position });
      paged.push(...page.items.map(({ id }) => id));
      position = page.older;
      if (position === null) break;
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    const hour = { from: new Date(Date.now() - 3_000_000), to: new Date(Date.now() + 600_000) };
    const { counts, refusals } = await summarizeApiRequests(ctx, { partnerId, ...hour });
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
    expect(refusals.find(({ code }) => code === "signature_mismatch")).toMatchObject({
      status: 401,
      operation: "list_settlements",
      count: 3,
    });
    expect((await listApiRequests(ctx, { partnerId, filters: { statusClass: 2, pathPrefix: "/api/v2" } })).items).toEqual([]);
  });

  it("says what a key with fewer rights, or none, would have been refused: by scope, by address, and what ends with it", async () => {
    const maker = await issueKey(ctx);
    const made = await issueKey(ctx, { partnerId: maker.partnerId, rotatedFrom: maker.id });
    const answered = { partnerId: maker.partnerId, apiKeyId: maker.id, userId: null, surface: "settlement", method: "POST", path: TARGET };
    const rest = {
      query: "",
      status: 200,
      code: null,
      durationMs: 1,
      address: "198.51.100.7",
      replayed: false,
      settlementId: null,
      refused: null,
    };
    const asked = (given: Partial<ArrivedApiRequest>, number: number, daysAgo = 1): ArrivedApiRequest => {
      const at = new Date(Date.now() - daysAgo * 86_400_000);
      return { ...answered, ...rest, operation: "create_settlement", ...given, id: `req_try_${number}`, at };
    };
    await insertApiRequests(database.db, [
      asked({}, 1),
      asked({ address: "203.0.113.9" }, 2),
      asked({ operation: "list_settlements", apiKeyId: made.id }, 3),
      // Refused before, too old, by a person, and of another partner: none of them counts.
      asked({ status: 422 }, 4),
      asked({}, 5, 31),
      asked({ apiKeyId: null }, 6),
      asked({ partnerId: stranger.partnerId }, 7),
    ]);
    const rights = (scopes: readonly Scope[], allowedIps: readonly string[]) =>
      tryRights(ctx, { partnerId: maker.partnerId, scopes, allowedIps, scopeOf });
    const scopeOf = (operation: string) => (operation === "create_settlement" ? "settlements:write" : "settlements:read");
    const all = scopesOf(maker.partnerId);
    expect(await rights(all, [])).toEqual({ refused: 0, answered: 3, examined: 5, isSample: false, operations: [] });
    expect(await rights(["settlements:read"], [])).toMatchObject({
      refused: 2,
      operations: [{ operation: "create_settlement", count: 2 }],
    });
    expect(await rights(all, ["198.51.100.0/24"])).toMatchObject({
      refused: 1,
      operations: [{ operation: "create_settlement", count: 1 }],
    });
    expect(await tryRevocation(ctx, { id: made.id })).toMatchObject({ refused: 1, answered: 1 });
    expect(await tryRevocation(ctx, { id: maker.id })).toMatchObject({ refused: 3, answered: 3 });
    await expect(tryRevocation(ctx, { id: maker.id, partnerId: stranger.partnerId ?? "" })).rejects.toMatchObject({ code: "not_found" });
  });

  it("keeps only so many refused requests a minute and key: who knows only a key's name cannot fill a disk", async () => {
    const flood = Array.from({ length: 200 }, () =>
      signedRequest({ ...stranger, apiSecret: "wrong" }, { method: "POST", target: TARGET, body: BODY }),
    );
    for (const request of flood) await ask(request);
    await surfaceContext.apiLog.drain();
    const rows = await database.db.select().from(apiRequests);
    const theirs = rows.filter(({ partnerId }) => partnerId === stranger.partnerId);
    // Two minutes' worth, should one begin meanwhile.
    expect(theirs.length).toBeGreaterThanOrEqual(60);
    expect(theirs.length).toBeLessThanOrEqual(120);
    expect(lines.find(({ message }) => message === "refused requests were counted and not kept")).toMatchObject({
      suppressed: expect.any(Number),
    });
  });

  it("keeps 1 KiB of a path and of a query, and of what is longer no particulars, which would be of another request", async () => {
    const long = `${TARGET}?q=${"x".repeat(5_000)}`;
    await ask(signedRequest({ ...key, apiSecret: "wrong" }, { method: "POST", target: long, body: BODY }));
    await surfaceContext.apiLog.drain();
    const rows = await database.db.select().from(apiRequests);
    const kept = rows.find(({ query }) => query.startsWith("q=xxx"));
    expect([kept?.query.length, kept?.refused, kept?.refusedBody]).toEqual([1_024, null, null]);
  });

  it("forgets bodies after 7 days", async () => {
    const inDays = (days: number) => ({ ...ctx, clock: { now: () => new Date(Date.now() + days * 86_400_000) } });
    const before = (await logged(null)).length;
    expect((await forgetRefusedBodies(inDays(6.9))).bodies).toBe(0);
    expect((await forgetRefusedBodies(inDays(7.1))).bodies).toBeGreaterThan(0);
    expect((await logged(null)).length).toBe(before);
    await database.db.delete(apiRequests);
  });

  it("holds a bounded number while the database is away, delays nobody, and writes again when it is back", async () => {
    let away = true;
    const execute: Context["db"]["execute"] = (query) => {
      if (away) throw new Error("the database is away");
      return database.db.execute(query);
    };
    const log = openApiLog({
      db: new Proxy(database.db, { get: (db, name) => (name === "execute" ? execute : Reflect.get(db, name)) }),
      log: ctx.log,
    });
    const entry = (at: Date) => ({
      at,
      partnerId: null,
      apiKeyId: randomUUID(),
      userId: null,
      surface: "settlement",
      operation: "x",
      method: "GET",
      path: "/",
      query: "",
      id: newId("request", at),
      status: 200,
      code: null,
      durationMs: 1,
      address: "::1",
      replayed: false,
      settlementId: null,
      refused: null,
    });
    const entries = Array.from({ length: 12_000 }, () => entry(new Date()));
    for (const request of entries) log.note(request);
    setTimeout(() => (away = false), 200);
    await expect.poll(() => database.db.$count(apiRequests)).toBe(10_000);
    await log.drain();
    expect(lines.find(({ message }) => message === "requests are missing in the API log")).toMatchObject({ dropped: 2_000 });
  });
});
