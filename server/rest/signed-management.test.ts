import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey, signatureOf, signedRequest } from "#testing/surface.ts";
import { operationsOf, REGISTRY } from "./registry.ts";
import { handle } from "./surface.ts";

/** Contract, part 10: what a key without its secret cannot do. */

let database: TestDatabase;
let stage: PartnerStage;
let signing: IssuedApiKey;
let operator: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  signing = await issueKey(stage.ctx, { signedManagement: true });
  operator = await issueKey(stage.ctx, { partnerId: null, signedManagement: true });
});
afterAll(() => database.close());

type Parts = { body?: unknown; nonce?: string; timestamp?: string; headers?: Record<string, string> };

async function signed(key: IssuedApiKey, method: string, target: string, { body, headers, ...more }: Parts = {}) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const signature = signatureOf(key.apiSecret, { method, target, body: text, ...more });
  return await stage.call(method, target, { apiKey: key.apiKey, body: text, headers: { ...signature, ...headers } });
}

const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];

describe("a key of signed management", () => {
  const writes = operationsOf("partner").filter(({ kind, caller }) => kind === "write" && ["partner", "operator", "both"].includes(caller));

  it.each(writes.map((operation) => [operation.id, operation] as const))(
    "does not do %s unsigned",
    async (_id, { method, path, caller }) => {
      const { apiKey } = caller === "operator" ? operator : signing;
      const answer = await stage.call(method, path.replace(/\{\w+\}/g, randomUUID()), {
        apiKey,
        body: method === "DELETE" ? undefined : {},
      });
      expect(codeOf(answer)).toEqual([401, "signature_required"]);
      expect(answer.headers["WWW-Authenticate"]).toContain('headers="X-Service-Timestamp X-Service-Nonce X-Service-Signature"');
      expect(answer.body.detail).toContain("X-Service-Signature");
    },
  );

  it("that signs everything does not even read unsigned, and is what live mode makes", async () => {
    const live = openPartnerStage(database.db, { mode: "live" });
    const key = await issueKey(live.ctx, { mode: "live" });
    expect(key.signedManagement).toBe("all");
    for (const { method, path } of operationsOf("partner").filter(
      ({ kind, caller }) => kind === "read" && ["partner", "both"].includes(caller),
    ))
      expect(codeOf(await live.call(method, path.replace(/\{\w+\}/g, randomUUID()), { apiKey: key.apiKey })), path).toEqual([
        401,
        "signature_required",
      ]);
    const headers = signatureOf(key.apiSecret, { method: "GET", target: "/partners/current", body: "" });
    expect((await live.call("GET", "/partners/current", { apiKey: key.apiKey, headers })).body).toMatchObject({ id: key.partnerId });
  });

  it("reads unsigned, as ever", async () => {
    expect((await stage.call("GET", "/partners/current", { apiKey: signing.apiKey })).status).toBe(200);
  });

  it("keeps its bucket for what it signs: a caller who only knows its name empties the bucket of an address", async () => {
    const slow = openPartnerStage(database.db);
    slow.surfaceContext.settings.rateLimits = { writesPerSecond: 5, readsPerSecond: 5 };
    const key = await issueKey(slow.ctx, { signedManagement: true });
    const target = `/partners/${key.partnerId}/callback-secret/rotate`;
    const unsigned = (method: string, address: string) =>
      slow.call(method, method === "GET" ? "/partners/current" : target, { apiKey: key.apiKey, address });
    for (const method of ["GET", "POST"]) {
      const flood = Array.from({ length: 30 }, () => unsigned(method, "192.0.2.66"));
      expect((await Promise.all(flood)).map(({ status }) => status)).toContain(429);
    }
    // Signed, on both surfaces and from the same address too; unsigned from another.
    const body = JSON.stringify({ overlap_seconds: 0 });
    for (const address of ["127.0.0.1", "192.0.2.66"]) {
      const headers = signatureOf(key.apiSecret, { method: "POST", target, body });
      expect((await slow.call("POST", target, { apiKey: key.apiKey, body, headers, address })).status).toBe(201);
    }
    expect((await unsigned("GET", "127.0.0.1")).status).toBe(200);
    const { surface, bindings } = REGISTRY.settlement;
    for (const parts of [{ target: "/api/v1/settlements" }, { method: "POST", target: "/api/v1/echo", body: "{}" }])
      expect((await handle(surface, slow.surfaceContext, bindings, signedRequest(key, parts))).status).toBe(200);
  });

  it("changes what it signs, each nonce once", async () => {
    const nonce = randomUUID();
    const body = { overlap_seconds: 0 };
    const target = `/partners/${signing.partnerId}/callback-secret/rotate`;
    expect((await signed(signing, "POST", target, { body, nonce })).status).toBe(201);
    expect(codeOf(await signed(signing, "POST", target, { body, nonce }))).toEqual([401, "nonce_reused"]);
  });

  it("learns what is wrong with its signature, as on the settlement surface", async () => {
    const target = `/partners/${signing.partnerId}/callback-secret/rotate`;
    const body = { overlap_seconds: 0 };
    const wrong = signatureOf(signing.apiSecret, { method: "POST", target, body: JSON.stringify({ overlap_seconds: 9 }) });
    for (const [parts, code] of [
      [{ timestamp: "1" }, "stale_timestamp"],
      [{ nonce: "x" }, "invalid_nonce"],
      [{ headers: { "X-Service-Signature": wrong["X-Service-Signature"] ?? "" } }, "signature_mismatch"],
      [{ headers: { "X-Service-Nonce": "" } }, "signature_required"],
    ] as const) {
      expect(codeOf(await signed(signing, "POST", target, { body, ...parts }))).toEqual([401, code]);
    }
  });

  it("hands its duty on: to what it is rotated into, and to what it makes", async () => {
    const key = await issueKey(stage.ctx, { signedManagement: true });
    const rotated = await signed(key, "POST", `/partners/api-keys/${key.id}/rotate`, { body: { overlap_seconds: 0 } });
    expect([rotated.status, rotated.body.signed_management]).toEqual([201, true]);
    const made = await signed(operator, "POST", "/partners/api-keys", { body: { partner_id: null } });
    expect([made.status, made.body.signed_management]).toEqual([201, true]);
    const freer = await signed(operator, "POST", "/partners/api-keys", { body: { partner_id: null, signed_management: false } });
    expect(codeOf(freer)).toEqual([403, "forbidden"]);
  });
});

describe("any other key", () => {
  it("is checked where it signs all the same, and refused where it signs by half", async () => {
    const key = await issueKey(stage.ctx);
    const target = `/partners/${key.partnerId}/callback-secret/rotate`;
    const body = { overlap_seconds: 0 };
    expect((await signed(key, "POST", target, { body })).status).toBe(201);
    expect(codeOf(await signed(key, "GET", "/partners/current", { timestamp: "1" }))).toEqual([401, "stale_timestamp"]);
    const half = { headers: { "X-Service-Nonce": randomUUID() } };
    expect(codeOf(await stage.call("POST", target, { apiKey: key.apiKey, body, ...half }))).toEqual([401, "missing_credentials"]);
    expect((await stage.call("POST", target, { apiKey: key.apiKey, body })).status).toBe(201);
  });

  it("is made to sign in live mode, its changes at least", async () => {
    const live = openPartnerStage(database.db, { mode: "live" });
    const key = await issueKey(stage.ctx, { partnerId: null });
    const make = async (more: object) =>
      (await live.call("POST", "/partners/api-keys", { apiKey: key.apiKey, body: { partner_id: signing.partnerId, ...more } })).body;
    expect(await make({})).toMatchObject({ signed_management: "all" });
    expect(await make({ signed_management: true })).toMatchObject({ signed_management: true });
    expect(await make({ signed_management: false })).toMatchObject({ code: "forbidden" });
  });
});
