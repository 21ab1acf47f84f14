import { expect, test } from "@playwright/test";
import {
  createApiKeyOperation,
  listApiKeysOperation,
  rotateApiKeyOperation,
  rotateCallbackSecretOperation,
} from "#contract/partner/key-operations.ts";
import { partnerSchema } from "#contract/partner/partner.ts";
import {
  createPartnerOperation,
  currentPartnerOperation,
  updateChargeFeeOperation,
  updatePartnerStatusOperation,
} from "#contract/partner/partner-operations.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import { expectOperatorError, expectRefusal, read } from "../support/answers.ts";
import { operator } from "../support/client.ts";
import { asPartner, asRival, expectInvalid, freshName, readList, withKey } from "../support/partner-surface.ts";
import { partnerClient } from "../support/patient.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, quote } from "../support/settlements.ts";

/** Contract, parts 6 and 9: partners and their keys, from the first day to the last. */

async function newPartner() {
  const body = { name: "Story Partner", slug: freshName("story"), roles: ["AGGREGATOR"] };
  return read(createPartnerOperation, await operator.call("POST", "/partners", body));
}

async function newKey(partnerId: string | null, more: Record<string, unknown> = {}) {
  return read(
    createApiKeyOperation,
    await operator.call("POST", "/partners/api-keys", { partner_id: partnerId, name: "Story key", ...more }),
  );
}

test("the current partner is the key's own", async () => {
  const own = read(currentPartnerOperation, await asPartner.call("GET", "/partners/current"));
  expect(own.id).toBe(sandbox.partner.id);
  const rival = read(currentPartnerOperation, await asRival.call("GET", "/partners/current"));
  expect(rival.id).toBe(sandbox.second_partner.id);
  expectOperatorError(await withKey("").call("GET", "/partners/current"), 401, "missing_api_key");
  expectOperatorError(await withKey("key_test_nobody").call("GET", "/partners/current"), 401, "unknown_api_key");
});

test("a new partner is listed, gets its fee, and its slug is taken", async () => {
  const partner = await newPartner();
  const { items, total } = readList(partnerSchema, await operator.call("GET", `/partners?search=${partner.slug}`));
  expect([items, total]).toEqual([[partner], 1]);
  const { items: page, total: all } = readList(partnerSchema, await operator.call("GET", "/partners?limit=1&skip=1"));
  expect(page).toHaveLength(1);
  expect(all).toBeGreaterThanOrEqual(3);
  const { name, slug, roles } = partner;
  expectOperatorError(await operator.call("POST", "/partners", { name, slug, roles }), 409, "conflict");
  expectInvalid(await operator.call("POST", "/partners", { name, slug: "No Slug", roles }), ["body", "slug"]);
  const fee = await operator.call("PUT", `/partners/${partner.id}/charge-fee`, { charge_fee_percentage: 1.5 });
  expect(read(updateChargeFeeOperation, fee)).toMatchObject({ id: partner.id, charge_fee_percentage: 1.5 });
  expectInvalid(await operator.call("PUT", `/partners/${partner.id}/charge-fee`, { charge_fee_percentage: 101 }), [
    "body",
    "charge_fee_percentage",
  ]);
});

test("a new partner's key signs a settlement, and its callback secret the callback", async () => {
  const partner = await newPartner();
  const key = await newKey(partner.id);
  const rotated = await withKey(key.api_key ?? "").call("POST", `/partners/${partner.id}/callback-secret/rotate`, { overlap_seconds: 0 });
  const { callback_secret } = read(rotateCallbackSecretOperation, rotated);
  const client = partnerClient(BASE_URL, { api_key: key.api_key ?? "", api_secret: key.api_secret ?? "" });
  const receiver = await openReceiver();
  try {
    const { tx_id } = await quote({}, client);
    await confirm(tx_id, { callback_url: receiver.url }, client);
    const delivered = verifyCallback(await receiver.delivery(1), { callback_secret, api_secret: key.api_secret ?? "" });
    expect(delivered).toMatchObject({ tx_id, status: "executed" });
    expect((await ended(tx_id, client)).status).toBe("executed");
  } finally {
    await receiver.close();
  }
});

test("a key works next to its successor for the overlap; deleted, it ends at once, with everything rotated from it", async () => {
  const partner = await newPartner();
  const first = await newKey(partner.id);
  const works = async (apiKey = "") => (await withKey(apiKey).call("GET", "/partners/current")).status;
  const second = read(
    rotateApiKeyOperation,
    await withKey(first.api_key ?? "").call("POST", `/partners/api-keys/${first.id}/rotate`, { overlap_seconds: 60 }),
  );
  expect([await works(first.api_key), await works(second.api_key)]).toEqual([200, 200]);
  const deleted = await withKey(second.api_key ?? "").call("DELETE", `/partners/api-keys/${first.id}`);
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  expect([await works(first.api_key), await works(second.api_key)]).toEqual([401, 401]);
  const third = await newKey(partner.id);
  const listed = await withKey(third.api_key ?? "").call("GET", "/partners/api-keys");
  expect(listed.text).not.toContain("sec_");
  expect(read(listApiKeysOperation, listed).map(({ id, rotated_from }) => [id, rotated_from])).toEqual([
    [third.id, null],
    [second.id, first.id],
    [first.id, null],
  ]);
  expectOperatorError(await asPartner.call("DELETE", `/partners/api-keys/${second.id}`), 404, "not_found");
  expectOperatorError(await asPartner.call("POST", "/partners/api-keys", { partner_id: sandbox.partner.id }), 403, "forbidden");
  expectInvalid(await operator.call("POST", "/partners/api-keys", { partner_id: null, expires_at: "2020-01-01T00:00:00Z" }), [
    "body",
    "expires_at",
  ]);
});

test("a suspended partner is shut out of both surfaces, and let in again", async () => {
  const partner = await newPartner();
  const key = await newKey(partner.id);
  const credentials = { api_key: key.api_key ?? "", api_secret: key.api_secret ?? "" };
  const set = async (status: string) =>
    read(updatePartnerStatusOperation, await operator.call("PUT", `/partners/${partner.id}/status`, { status }));
  expect((await set("suspended")).status).toBe("suspended");
  expectOperatorError(await withKey(credentials.api_key).call("GET", "/partners/current"), 403, "partner_suspended");
  expectRefusal(await partnerClient(BASE_URL, credentials).get("/api/v1/pairs"), 403, "partner_suspended");
  await set("active");
  expect((await withKey(credentials.api_key).call("GET", "/partners/current")).status).toBe(200);
});

test("what is the operator's is not a partner's, and paths have one spelling", async () => {
  for (const [method, target] of [
    ["GET", "/partners"],
    ["POST", "/partners"],
    ["POST", "/partners/api-keys"],
    ["PUT", `/partners/${sandbox.partner.id}/charge-fee`],
    ["PUT", `/partners/${sandbox.partner.id}/status`],
  ] as const) {
    expectOperatorError(await asPartner.call(method, target, method === "GET" ? undefined : {}), 403, "forbidden");
  }
  expectOperatorError(await operator.call("GET", "/partners/current"), 403, "forbidden");
  expectOperatorError(await operator.call("GET", "/partners/"), 404, "route_not_found");
  expectOperatorError(await operator.call("GET", "/partners/nothing/here"), 404, "route_not_found");
  const patched = await operator.call("PATCH", "/partners", {});
  expectOperatorError(patched, 405, "method_not_allowed");
  expect(patched.headers.allow).toBe("GET, HEAD, POST");
});
