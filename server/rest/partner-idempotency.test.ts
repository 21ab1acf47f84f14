import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKeys } from "#db/schema/api-keys.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey } from "#testing/surface.ts";

let database: TestDatabase;
let stage: PartnerStage;
let operator: IssuedApiKey;
let own: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  operator = await issueKey(stage.ctx, { partnerId: null });
  own = await issueKey(stage.ctx);
});
afterAll(() => database.close());

const post = (target: string, key: string, body: unknown, { apiKey } = operator) =>
  stage.call("POST", target, { apiKey, body, headers: { "Idempotency-Key": key } });
const REPLAYED = "Idempotent-Replayed";

describe("an Idempotency-Key on the partner-management surface", () => {
  it("issues one API key, whose secret the repeat returns again and the database never holds in clear", async () => {
    const key = randomUUID();
    const body = { partner_id: own.partnerId, name: key };
    const first = await post("/partners/api-keys", key, body);
    const second = await post("/partners/api-keys", key, body);
    expect([first.status, first.headers[REPLAYED]]).toEqual([201, undefined]);
    expect([second.status, second.headers[REPLAYED], second.body]).toEqual([201, "true", first.body]);
    expect(await database.db.$count(apiKeys, eq(apiKeys.name, key))).toBe(1);
    const [kept] = await database.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key));
    expect(kept?.responseBody).toBe("");
    expect(JSON.stringify(kept)).not.toContain(first.body.api_secret);
    expect(JSON.stringify(kept)).not.toContain(first.body.api_key);
  });

  it("rotates once: a key of its own, and a callback secret", async () => {
    const old = await issueKey(stage.ctx, { partnerId: own.partnerId });
    for (const target of [`/partners/api-keys/${old.id}/rotate`, `/partners/${own.partnerId}/callback-secret/rotate`]) {
      const key = randomUUID();
      const first = await post(target, key, { overlap_seconds: 60 }, own);
      const second = await post(target, key, { overlap_seconds: 60 }, own);
      expect([first.status, second.headers[REPLAYED], second.body]).toEqual([201, "true", first.body]);
      const [kept] = await database.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key));
      expect([kept?.responseBody, kept?.sealedBody]).toEqual(["", expect.stringMatching(/^v2\./)]);
    }
  });

  it("makes one partner and one admin, where a repeat without a key is a conflict", async () => {
    const slug = randomUUID();
    const partner = { name: "Acme", slug, roles: ["AGGREGATOR"] };
    const admin = { username: `${slug}@example.com`, password: "plover-quay-71-lantern", name: "Ada", role: "viewer" };
    for (const [target, body] of [
      ["/partners", partner],
      ["/admins", admin],
    ] as const) {
      const key = randomUUID();
      const first = await post(target, key, body);
      const second = await post(target, key, body);
      expect([first.status, second.status, second.headers[REPLAYED], second.body]).toEqual([201, 201, "true", first.body]);
      expect((await post(target, randomUUID(), body)).status).toBe(409);
    }
  });

  it("returns a secret again to the key that got it, and to no other key of the partner", async () => {
    const owner = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const held = await issueKey(stage.ctx, { partnerId: own.partnerId, allowedIps: ["127.0.0.1"] });
    const targets: [string, unknown][] = [
      [`/partners/api-keys/${owner.id}/rotate`, { overlap_seconds: 60 }],
      [`/partners/${own.partnerId}/callback-secret/rotate`, { overlap_seconds: 60 }],
    ];
    for (const [target, body] of targets) {
      const key = randomUUID();
      const answer = await post(target, key, body, owner);
      expect(answer.status).toBe(201);
      const overheard = await post(target, key, body, held);
      expect([overheard.status, overheard.body.code]).toEqual([422, "idempotency_key_reused"]);
      const [, secret] = /"(?:api_secret|secret|callback_secret)":"([^"]+)"/.exec(JSON.stringify(answer.body)) ?? [];
      expect(secret).toBeDefined();
      expect(JSON.stringify(overheard)).not.toContain(secret);
      const again = await post(target, key, body, owner);
      expect([again.status, again.headers[REPLAYED], again.body]).toEqual([201, "true", answer.body]);
    }
  });

  it("without a secret in its answer is the partner's: any of its keys may repeat it", async () => {
    const key = randomUUID();
    const member = { external_user_id: key, phone: "+254700000002", wallet_address: "0x8617E340B3D01FA5F11F306F4090FD50E238070D" };
    const colleague = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const first = await post("/partners/members", key, member, own);
    const second = await post("/partners/members", key, member, colleague);
    expect([second.status, second.headers[REPLAYED], second.body]).toEqual([201, "true", first.body]);
  });

  it("with other bytes is 422, also when only a space differs", async () => {
    const key = randomUUID();
    const member = { external_user_id: key, phone: "+254700000001", wallet_address: "0x52908400098527886E0F7030069857D2E4169EE7" };
    expect((await post("/partners/members", key, member, own)).status).toBe(201);
    const spaced = await post("/partners/members", key, JSON.stringify(member).replace(":", ": "), own);
    expect([spaced.status, spaced.body.code]).toEqual([422, "idempotency_key_reused"]);
    expect((await post("/partners/members", key, member, own)).headers[REPLAYED]).toBe("true");
  });

  it("is a partner's own, and each operator key's own", async () => {
    const key = randomUUID();
    const body = { partner_id: own.partnerId };
    const first = await post("/partners/api-keys", key, body);
    const colleague = await issueKey(stage.ctx, { partnerId: null });
    const other = await post("/partners/api-keys", key, body, colleague);
    expect([other.status, other.headers[REPLAYED]]).toEqual([201, undefined]);
    expect(other.body.id).not.toBe(first.body.id);
  });
});
