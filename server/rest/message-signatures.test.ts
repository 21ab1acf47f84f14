import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { nonces } from "#db/schema/nonces.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type MessageParts, messageSigned } from "#testing/message-signature.ts";
import { openPartnerStage } from "#testing/partner-calls.ts";
import { countTrips, openConnections } from "#testing/round-trips.ts";
import { issueKey, type RequestParts, rawRequest, readAnswer, signatureOf, testContext, testSurfaceContext } from "#testing/surface.ts";
import { REGISTRY } from "./registry.ts";
import { handle } from "./surface.ts";

/** HTTP Message Signatures (RFC 9421) in place of the headers of the contract's part 3: the same checks, codes, order and nonces. */

const { surface, bindings } = REGISTRY.settlement;
let database: TestDatabase;
let surfaceContext: ReturnType<typeof testSurfaceContext>;
let key: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  surfaceContext = testSurfaceContext(testContext(database.db));
  key = await issueKey(surfaceContext.ctx);
});
afterAll(() => database.close());

type SignedParts = MessageParts & { apiKey?: string; secret?: string };
const signed = (parts: RequestParts, { apiKey = key.apiKey, secret = key.apiSecret, ...rest }: SignedParts = {}): RequestParts =>
  messageSigned({ apiKey, apiSecret: secret }, parts, rest);

const ask = async (parts: RequestParts) => readAnswer(await handle(surface, surfaceContext, bindings, rawRequest(parts)));
const codeOf = async (parts: RequestParts) => {
  const { status, body } = await ask(parts);
  return [status, body.code];
};
const ECHO: RequestParts = { method: "POST", target: "/api/v1/echo?a=%7e&&b", body: '{"hello": "wörld"}' };
const LIST: RequestParts = { target: "/api/v1/settlements?limit=5" };
const burnt = () => database.db.$count(nonces);

describe("a request signed as RFC 9421 says", () => {
  it("is taken, with a body and without, its key named by keyid or by Authorization too", async () => {
    expect(await ask(signed(ECHO))).toMatchObject({ status: 200, body: { method: "POST", query: "a=%7e&&b", body_length: 19 } });
    expect(await ask(signed(LIST))).toMatchObject({ status: 200 });
    expect(await ask(signed({ ...LIST, headers: { Authorization: key.apiKey } }))).toMatchObject({ status: 200 });
  });

  it("burns its nonce where the headers' nonces are burnt: one of either kind stops the other", async () => {
    const nonce = randomUUID();
    expect(await codeOf(signed(LIST, { nonce }))).toEqual([200, undefined]);
    expect(await codeOf(signed(LIST, { nonce: nonce.toUpperCase() }))).toEqual([401, "nonce_reused"]);
    const headers = { Authorization: key.apiKey, ...signatureOf(key.apiSecret, { ...LIST, nonce }) };
    expect(await codeOf({ ...LIST, headers })).toEqual([401, "nonce_reused"]);
    const copies = signed(ECHO);
    const raced = await Promise.all(Array.from({ length: 8 }, () => ask(copies)));
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("is refused in the contract's order, and burns nothing", async () => {
    const stale = Math.floor(Date.now() / 1_000) - 302;
    const unknown = key.apiKey.replace(/.$/, (last) => (last === "a" ? "b" : "a"));
    const before = await burnt();
    const bad = { nonce: "no-uuid", created: stale, secret: "sec_test_wrong" };
    expect(await codeOf(signed(ECHO, { ...bad, apiKey: unknown, covered: "()" }))).toEqual([401, "missing_credentials"]);
    expect(await codeOf(signed(ECHO, { ...bad, apiKey: unknown }))).toEqual([401, "unknown_api_key"]);
    expect(await codeOf(signed(ECHO, bad))).toEqual([401, "stale_timestamp"]);
    expect(await codeOf(signed(ECHO, { ...bad, created: stale + 604 }))).toEqual([401, "stale_timestamp"]);
    expect(await codeOf(signed(ECHO, { more: `;expires=${Math.floor(Date.now() / 1_000) - 1}` }))).toEqual([401, "stale_timestamp"]);
    expect(await codeOf(signed(ECHO, { nonce: "no-uuid", secret: "sec_test_wrong" }))).toEqual([401, "invalid_nonce"]);
    expect(await codeOf(signed(ECHO, { secret: "sec_test_wrong" }))).toEqual([401, "signature_mismatch"]);
    expect(await codeOf({ ...signed(ECHO), body: '{"hello": "world"}' })).toEqual([401, "signature_mismatch"]);
    expect(await codeOf({ ...signed(ECHO), target: "/api/v1/echo?a=%7e&&c" })).toEqual([401, "signature_mismatch"]);
    expect(await codeOf({ ...signed(LIST), method: "HEAD" })).toEqual([401, "signature_mismatch"]);
    expect(await burnt()).toBe(before);
  });

  it("learns what does not suffice: what is not covered counts as not signed", async () => {
    const bodyOf = async (parts: RequestParts) => (await ask(parts)).body;
    const bare = signed({ target: "/api/v1/settlements" }, { covered: '("@method" "@path")' });
    expect(await ask(bare)).toMatchObject({ status: 200 });
    const again = signed({ target: "/api/v1/settlements" }, { covered: '("@method" "@path")' });
    expect(await bodyOf({ ...again, target: "/api/v1/settlements?status=executed" })).toMatchObject({
      code: "missing_credentials",
      detail: "The signature does not cover @query.",
    });
    expect(await bodyOf(signed(ECHO, { covered: '("@method" "@target-uri")' }))).toMatchObject({
      detail: expect.stringContaining("content-digest"),
    });
    expect(await bodyOf(signed({ ...LIST, headers: { Authorization: "key_test_other" } }))).toMatchObject({ code: "missing_credentials" });
    const crawler = { "Signature-Input": 'sig1=("@authority");keyid="crawler"', Signature: "sig1=:AAAA:" };
    expect(await bodyOf({ ...LIST, headers: crawler })).toMatchObject({
      code: "missing_credentials",
      detail: expect.stringContaining("keyid"),
    });
  });

  it("reports in a mismatch the hash of what should have been signed, and that a digest is not the body's", async () => {
    const parts = signed(ECHO, { secret: "sec_test_wrong" });
    const input = String(parts.headers?.["Signature-Input"]).slice("sig1=".length);
    const lines = [
      '"@method": POST',
      `"@target-uri": http://localhost:3000${ECHO.target}`,
      `"content-digest": ${parts.headers?.["Content-Digest"]}`,
    ];
    const base = [...lines, `"@signature-params": ${input}`].join("\n");
    expect((await ask(parts)).body.received).toMatchObject({ signing_string_sha256: createHash("sha256").update(base).digest("hex") });
    expect((await ask({ ...signed(ECHO), body: "{}" })).body.detail).toMatch(/Content-Digest/);
  });

  it("counts for nothing next to any of the three headers: only those are judged", async () => {
    const message = signed(LIST).headers ?? {};
    const right = { Authorization: key.apiKey, ...signatureOf(key.apiSecret, LIST) };
    expect(await codeOf({ ...LIST, headers: { ...right, ...message, Signature: "sig1=:AAAA:" } })).toEqual([200, undefined]);
    const wrong = { ...right, "X-Service-Signature": "0".repeat(64) };
    expect(await codeOf({ ...LIST, headers: { ...message, ...wrong } })).toEqual([401, "signature_mismatch"]);
    const part = { Authorization: key.apiKey, "X-Service-Nonce": randomUUID() };
    expect(await codeOf({ ...LIST, headers: { ...message, ...part } })).toEqual([401, "missing_credentials"]);
  });

  it("asks the database as often as one signed by the headers", async () => {
    const trips = countTrips();
    const url = { url: database.url, applicationName: "counted", maxConnections: 2, role: database.webRole };
    const pool = openDatabase({ ...url, onStatement: trips.onStatement });
    try {
      await openConnections(pool, 2);
      const counted = testSurfaceContext({ ...surfaceContext.ctx, db: pool.db });
      const send = async (parts: RequestParts) => readAnswer(await handle(surface, counted, bindings, rawRequest(parts)));
      const byHeaders = () => ({ ...LIST, headers: { Authorization: key.apiKey, ...signatureOf(key.apiSecret, LIST) } });
      await send(byHeaders());
      const one = await trips.count(() => send(byHeaders()));
      const other = await trips.count(() => send(signed(LIST)));
      expect([other.result.status, other.trips]).toEqual([200, one.trips]);
    } finally {
      await pool.close();
    }
  });
});

describe("a key of signed management", () => {
  it("may sign this way too, next to its apiKey; what cannot be judged does not pass for a signature", async () => {
    const stage = openPartnerStage(database.db);
    const own = await issueKey(stage.ctx, { signedManagement: true });
    const target = `/partners/${own.partnerId}/callback-secret/rotate`;
    const call = async (message: SignedParts) => {
      const body = JSON.stringify({ overlap_seconds: 0 });
      const { headers } = signed({ method: "POST", target, body }, { apiKey: own.apiKey, secret: own.apiSecret, ...message });
      const answer = await stage.call("POST", target, { apiKey: own.apiKey, body, headers: headers as Record<string, string> });
      return [answer.status, answer.body.code];
    };
    const nonce = randomUUID();
    expect(await call({ nonce })).toEqual([201, undefined]);
    expect(await call({ nonce })).toEqual([401, "nonce_reused"]);
    expect(await call({ secret: "sec_test_wrong" })).toEqual([401, "signature_mismatch"]);
    expect(await call({ covered: '("@method" "@target-uri")' })).toEqual([401, "signature_required"]);
    expect(await call({ apiKey: key.apiKey, secret: key.apiSecret })).toEqual([401, "signature_required"]);
    const crawled = { "Signature-Input": 'sig1=("@authority");keyid="crawler"', Signature: "sig1=:AAAA:" };
    expect((await stage.call("GET", "/partners/current", { apiKey: own.apiKey, headers: crawled })).status).toBe(200);
  });
});
