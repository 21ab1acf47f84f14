import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { openCallbackKeys } from "#domain/callback-key.ts";
import { secretOfKey } from "#domain/sealed-place.ts";
import { webhookSignature } from "#domain/signing.ts";
import { verifyCallback } from "#sdk/typescript/src/index.ts";
import { setCallbackStage } from "#testing/callback-stage.ts";
import { addCallbackSecret, addSigningPartner, enqueueTestCallback, type SigningPartner, testVault } from "#testing/callbacks.ts";
import { setClockOffset } from "#testing/factories.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import type { ReceivedRequest } from "#testing/stage/receiver.ts";

const stage = setCallbackStage();

describe("the signatures of an attempt", () => {
  let partner: SigningPartner;
  beforeAll(async () => {
    partner = await addSigningPartner(stage.database.db);
  });

  async function deliverOne(path: string, body: string): Promise<ReceivedRequest> {
    const endpoint = await stage.receiver();
    stage.work();
    await enqueueTestCallback(stage.database.db, partner, endpoint.origin + path, { body });
    await endpoint.received(1);
    const [request] = endpoint.requests;
    if (!request) throw new Error("nothing came");
    return request;
  }

  /** Verifies as a partner would, from the specification alone. */
  function mirroredSignature(secret: string, request: ReceivedRequest): string {
    const mark = request.target.indexOf("?");
    const path = mark < 0 ? request.target : request.target.slice(0, mark);
    const query = mark < 0 ? "" : request.target.slice(mark + 1);
    const text = [request.headers["x-service-timestamp"], "POST", path, query, request.body].join("\n");
    return createHmac("sha256", Buffer.from(secret, "utf8")).update(Buffer.from(text, "utf8")).digest("hex");
  }

  async function addKey(secret: string, createdAt: Date, more: { revokedAt?: Date; expiresAt?: Date } = {}): Promise<void> {
    const id = randomUUID();
    const common = { partnerId: partner.partnerId, name: "another", lastFour: "0000", scopes: [], allowedIps: [] };
    await stage.database.db
      .insert(apiKeys)
      .values({ ...common, id, keyHash: id, sealedSecret: testVault.seal(secret, secretOfKey(id)), createdAt, ...more });
  }

  it("verify with the Standard Webhooks library and under the mirrored scheme", async () => {
    const request = await deliverOne("/hook/a%7e?z=o'b%7e&&a=x+y", '{"tx_id":"tx_1","failure_reason":"Überlauf 😀"}');
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    expect(new Webhook(partner.callbackSecret).verify(request.body, headers)).toEqual({ tx_id: "tx_1", failure_reason: "Überlauf 😀" });
    expect(() => new Webhook(`whsec_${Buffer.alloc(24, 7).toString("base64")}`).verify(request.body, headers)).toThrow();
    expect(request.target).toBe("/hook/a%7e?z=o'b%7e&&a=x+y");
    expect(request.headers["content-type"]).toBe("application/json");
    expect(request.headers["x-service-nonce"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(request.headers["x-service-timestamp"]).toBe(request.headers["webhook-timestamp"]);
    expect(request.headers["x-service-signature"]).toBe(mirroredSignature(partner.apiSecret, request));
  });

  it("are one more where there is a key for it, behind the others, which stay as they are", async () => {
    const keys = openCallbackKeys([{ id: "own", key: randomBytes(32) }]);
    const endpoint = await stage.receiver();
    stage.work({ signPublicly: keys.sign });
    await enqueueTestCallback(stage.database.db, partner, `${endpoint.origin}/hook`, { body: '{"tx_id":"tx_1","status":"executed"}' });
    await endpoint.received(1);
    const [request] = endpoint.requests;
    const headers = Object.fromEntries(Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]));
    const [shared = "", own = "", ...more] = headers["webhook-signature"]?.split(" ") ?? [];
    const seconds = Number(headers["webhook-timestamp"]);
    expect([shared, more]).toEqual([
      webhookSignature(partner.callbackSecret, headers["webhook-id"] ?? "", seconds, request?.body ?? ""),
      [],
    ]);
    expect(own).toBe(keys.sign?.(partner.partnerId, headers["webhook-id"] ?? "", seconds, Buffer.from(request?.body ?? "")));
    new Webhook(partner.callbackSecret).verify(request?.body ?? "", headers);
    const check = (partnerId: string) =>
      verifyCallback({ headers, body: request?.body ?? "" }, { publicKeys: { keys: keys.jwksOf(partnerId) } });
    await expect(check(randomUUID()), "by another partner's key").rejects.toThrow("no signature fits");
    const answer = await check(partner.partnerId);
    expect([answer.id, headers["x-service-signature"]]).toEqual([
      headers["webhook-id"],
      request && mirroredSignature(partner.apiSecret, request),
    ]);
  });

  it("carry real time, whatever the sandbox's clock says", async () => {
    await setClockOffset(stage.database.db, 90 * 86_400_000);
    const request = await deliverOne("/", "{}");
    expect(Math.abs(Number(request.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(AT_ONCE_MS / 1_000);
  });

  it("are two while a rotation overlaps, the newer first, and one again afterwards", async () => {
    const lapsed = new Date(Date.now() - 1_000);
    await addCallbackSecret(stage.database.db, partner.partnerId, lapsed);
    const older = partner.callbackSecret;
    await stage.database.db
      .update(callbackSecrets)
      .set({ expiresAt: new Date(Date.now() + 60_000) })
      .where(sql`partner_id = ${partner.partnerId} and expires_at is null`);
    const newer = await addCallbackSecret(stage.database.db, partner.partnerId, null);
    const request = await deliverOne("/", "{}");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const signatures = headers["webhook-signature"]?.split(" ") ?? [];
    expect(signatures).toHaveLength(2);
    for (const secret of [older, newer]) new Webhook(secret).verify("{}", headers);
    new Webhook(newer).verify("{}", { ...headers, "webhook-signature": signatures[0] ?? "" });
    await stage.database.db
      .update(callbackSecrets)
      .set({ expiresAt: lapsed })
      .where(sql`partner_id = ${partner.partnerId} and expires_at is not null`);
    const later = await deliverOne("/", "{}");
    expect(String(later.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  });

  it("are made with the creating key until the overlap of its rotation ends, and with its successor from then on", async () => {
    await addKey("sec_test_successor", new Date());
    const endCreator = (revokedAt: Date) => stage.database.db.update(apiKeys).set({ revokedAt }).where(eq(apiKeys.id, partner.apiKeyId));
    await endCreator(new Date(Date.now() + 600_000));
    const within = await deliverOne("/", "{}");
    expect(within.headers["x-service-signature"]).toBe(mirroredSignature(partner.apiSecret, within));
    await endCreator(new Date(Date.now() - 1));
    const afterwards = await deliverOne("/", "{}");
    expect(afterwards.headers["x-service-signature"]).toBe(mirroredSignature("sec_test_successor", afterwards));
    await stage.database.db.update(apiKeys).set({ revokedAt: null }).where(eq(apiKeys.id, partner.apiKeyId));
  });

  it("are made with the partner's newest live key once the creating key is revoked or expired", async () => {
    const past = new Date(Date.now() - 1_000);
    await addKey("sec_test_older", new Date(Date.now() + 1_000));
    await addKey("sec_test_newer", new Date(Date.now() + 2_000), { expiresAt: new Date(Date.now() + 600_000) });
    await addKey("sec_test_revoked", new Date(Date.now() + 3_000), { revokedAt: past });
    await addKey("sec_test_expired", new Date(Date.now() + 4_000), { expiresAt: past });
    const before = await deliverOne("/", "{}");
    expect(before.headers["x-service-signature"]).toBe(mirroredSignature(partner.apiSecret, before));
    for (const gone of [{ revokedAt: past }, { revokedAt: null, expiresAt: past }]) {
      await stage.database.db.update(apiKeys).set(gone).where(eq(apiKeys.id, partner.apiKeyId));
      const after = await deliverOne("/", "{}");
      expect(after.headers["x-service-signature"]).toBe(mirroredSignature("sec_test_newer", after));
    }
  });

  it("are never left out: what cannot be signed is not sent, and fails in plain words", async () => {
    const silent = await addSigningPartner(stage.database.db);
    await stage.database.db.delete(callbackSecrets).where(eq(callbackSecrets.partnerId, silent.partnerId));
    const endpoint = await stage.receiver();
    stage.work();
    const { id } = await enqueueTestCallback(stage.database.db, silent, endpoint.origin);
    await stage.settled(id, 1);
    expect((await stage.attemptsOf(id))[0]).toMatchObject({ errorKind: "internal", error: expect.stringMatching(/an internal error/) });
    expect(endpoint.requests).toHaveLength(0);
  });
});
