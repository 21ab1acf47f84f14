import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { createSettlementOperation } from "#contract/settlement/v1/operations.ts";
import type { Header } from "#sandbox/client/exchange.ts";
import { expectRefusal, read } from "../support/answers.ts";
import { partner, rival } from "../support/client.ts";
import { advancePast } from "../support/clock.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { confirm, createBody, ended, freshReference, QUIET_URL, quote, SETTLEMENTS } from "../support/settlements.ts";
import { draft, send, withHeader } from "../support/signed.ts";

/** Contract, part 2 "Retries are safe" and part 9. */

const keyed = (key: string = randomUUID()): Header[] => [["Idempotency-Key", key]];
const replayed = (answer: { headers: Record<string, unknown> }) => answer.headers["idempotent-replayed"];

test("the same key and body replays the stored answer under a fresh request id", async () => {
  const key = keyed();
  const body = JSON.stringify(createBody());
  const first = await partner.post(SETTLEMENTS, body, key);
  expect(replayed(first)).toBeUndefined();
  const second = await partner.post(SETTLEMENTS, body, key);
  expect(second.status).toBe(201);
  expect(replayed(second)).toBe("true");
  expect(second.text).toBe(first.text);
  expect(second.headers["x-request-id"]).toMatch(/^req_/);
  expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  expect(second.headers.location).toBe(first.headers.location);
});

test("without a key, the same body twice is two settlements", async () => {
  const body = JSON.stringify(createBody());
  const [first, second] = [await partner.post(SETTLEMENTS, body), await partner.post(SETTLEMENTS, body)];
  expect(read(createSettlementOperation, first).tx_id).not.toBe(read(createSettlementOperation, second).tx_id);
});

test("a replay shows what was answered then, not what became of it", async () => {
  const { tx_id } = await quote();
  const key = keyed();
  const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
  const first = await partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, fields, key);
  expect((await ended(tx_id)).status).toBe("executed");
  const again = await partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, fields, key);
  expect(again.text).toBe(first.text);
  expect(replayed(again)).toBe("true");
});

test("another body under the same key is idempotency_key_reused", async () => {
  const key = keyed();
  const body = createBody();
  expect((await partner.post(SETTLEMENTS, body, key)).status).toBe(201);
  expectRefusal(await partner.post(SETTLEMENTS, { ...body, source_amount: 200_000 }, key), 422, "idempotency_key_reused");
  // The same meaning in other bytes may get either answer; it never makes a second settlement.
  const spaced = await partner.post(SETTLEMENTS, JSON.stringify(body, null, 2), key);
  if (spaced.status === 201) expect(replayed(spaced)).toBe("true");
  else expectRefusal(spaced, 422, "idempotency_key_reused");
});

test("ten at once under one key: one settlement; the others wait their turn or replay", async () => {
  const merchant = `merchant-${randomUUID()}`;
  const key = keyed();
  const body = JSON.stringify(createBody({ external_merchant_id: merchant }));
  const answers = await Promise.all(Array.from({ length: 10 }, () => partner.post(SETTLEMENTS, body, key)));
  const created = answers.filter(({ status }) => status === 201);
  expect(created.filter((answer) => replayed(answer) === undefined)).toHaveLength(1);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) expectRefusal(answer, 409, "idempotency_in_progress");
  const list = JSON.parse((await partner.get(`${SETTLEMENTS}?external_merchant_id=${merchant}`)).text);
  expect(list.data).toHaveLength(1);
});

test("a key is the partner's, the method's and the path's own", async () => {
  const key = keyed();
  const body = JSON.stringify(createBody());
  const first = await partner.post(SETTLEMENTS, body, key);
  const other = await rival.post(SETTLEMENTS, body, key);
  expect(other.status, other.text).toBe(201);
  expect(replayed(other)).toBeUndefined();
  expect(JSON.parse(other.text).tx_id).not.toBe(JSON.parse(first.text).tx_id);
  const elsewhere = await partner.post(`${SETTLEMENTS}/${JSON.parse(first.text).tx_id}/cancel`, "{}", key);
  expect(elsewhere.status, elsewhere.text).toBe(200);
  expect(replayed(elsewhere)).toBeUndefined();
});

test("a refusal that the operation made is kept and replayed: 404, 409, 410, 422", async () => {
  const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
  const cancelled = await quote();
  await partner.post(`${SETTLEMENTS}/${cancelled.tx_id}/cancel`);
  const lapsed = await quote();
  await advancePast(lapsed.expires_at);
  const attempts = [
    { target: `${SETTLEMENTS}/tx_00000000000000000000000000/confirm`, body: fields, status: 404, code: "settlement_not_found" },
    { target: `${SETTLEMENTS}/${cancelled.tx_id}/confirm`, body: fields, status: 409, code: "invalid_state" },
    { target: `${SETTLEMENTS}/${lapsed.tx_id}/confirm`, body: fields, status: 410, code: "quote_expired" },
    { target: SETTLEMENTS, body: createBody({ source_currency: "XXX" }), status: 422, code: "unsupported_pair" },
  ];
  for (const { target, body, status, code } of attempts) {
    const key = keyed();
    const first = await partner.post(target, body, key);
    expect(first.status, first.text).toBe(status);
    expectRefusal(first, status, code);
    const again = await partner.post(target, body, key);
    expect(again.status).toBe(status);
    expect(replayed(again), code).toBe("true");
    expect(JSON.parse(again.text).code).toBe(code);
    expect(again.headers["content-type"]).toMatch(/^application\/problem\+json/);
  }
});

test("a kept 409 stays the answer although it would now succeed", async () => {
  const taken = freshReference();
  await confirm((await quote()).tx_id, { external_tx_id: taken });
  const { tx_id } = await quote();
  const key = keyed();
  const target = `${SETTLEMENTS}/${tx_id}/confirm`;
  const fields = { external_tx_id: taken, callback_url: QUIET_URL };
  expectRefusal(await partner.post(target, fields, key), 409, "external_tx_id_conflict");
  expect(replayed(await partner.post(target, fields, key))).toBe("true");
  await confirm(tx_id);
});

test("what never reached the operation is not kept: 401, a bad body", async () => {
  const key = randomUUID();
  const body = JSON.stringify(createBody());
  const unsigned = withHeader(withHeader(draft({ target: SETTLEMENTS, body }), "Idempotency-Key", key), "Authorization", "key_test_nobody");
  expectRefusal(await send(unsigned), 401, "unknown_api_key");
  expectRefusal(await partner.post(SETTLEMENTS, "{", keyed(key)), 400, "malformed_json");
  expectRefusal(await partner.post(SETTLEMENTS, { source_amount: 0 }, keyed(key)), 422, "validation_failed");
  const good = await partner.post(SETTLEMENTS, body, keyed(key));
  expect(good.status, good.text).toBe(201);
  expect(replayed(good)).toBeUndefined();
});

test("a replay is signed like any request: a used nonce is refused first", async () => {
  const request = withHeader(draft({ target: SETTLEMENTS, body: JSON.stringify(createBody()) }), "Idempotency-Key", randomUUID());
  expect((await send(request)).status).toBe(201);
  expectRefusal(await send(request), 401, "nonce_reused");
});

test("hostile keys do no harm", async () => {
  const body = JSON.stringify(createBody());
  for (const key of ["k".repeat(5_000), "'; drop table settlements; --", "../../x", sandbox.partner.api_key]) {
    const answer = await partner.post(SETTLEMENTS, body, keyed(key));
    expect(answer.status, `${key.slice(0, 20)}: ${answer.text}`).toBeLessThan(500);
  }
});
