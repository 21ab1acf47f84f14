import { expect, test } from "@playwright/test";
import { exchange } from "#sandbox/client/exchange.ts";
import { expectRefusal } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { createBody, quote, SETTLEMENTS } from "../support/settlements.ts";

/** Contract, part 5. */

const get = (target: string) => exchange(BASE_URL, { method: "GET", target, headers: [] });

const CODES = [
  ["malformed_json", "malformed_header", "invalid_utf8"],
  ["missing_credentials", "unknown_api_key", "revoked_api_key", "stale_timestamp", "invalid_nonce", "signature_mismatch", "nonce_reused"],
  ["ip_not_allowed", "scope_missing", "partner_suspended"],
  ["settlement_not_found", "callback_not_found", "route_not_found", "method_not_allowed"],
  ["approval_pending", "invalid_state", "external_tx_id_conflict", "quote_changed", "idempotency_in_progress", "quote_expired"],
  ["body_too_large", "unsupported_media_type"],
  ["validation_failed", "unsupported_pair", "unsupported_chain", "invalid_wallet_address", "amount_too_small", "amount_too_large"],
  ["callback_url_not_allowed", "idempotency_key_reused", "rate_limited"],
  ["internal_error", "rate_unavailable", "liquidity_unavailable", "temporarily_unavailable"],
].flat();

for (const code of CODES) {
  test(`the type of ${code} leads to its page`, async () => {
    const page = await get(`/docs/errors/${code}`);
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toMatch(/^text\/html/);
    expect(page.text).toContain(code);
  });
}

test("there is no page for an unknown code", async () => {
  expect((await get("/docs/errors/nonsense")).status).toBe(404);
});

test("each title is its code's own and the same every time; the detail speaks of the case", async () => {
  const first = expectRefusal(await partner.get(`${SETTLEMENTS}/nonsense`), 404, "settlement_not_found");
  const second = expectRefusal(await partner.get(`${SETTLEMENTS}/tx_x`), 404, "settlement_not_found");
  expect(first.title).toBe(second.title);
  expect(first.request_id).not.toBe(second.request_id);
});

test("errors[] is in every 422 of a field, with pointer, code and message", async () => {
  for (const changes of [{ source_amount: "1" }, { wallet_address: "x" }, { source_amount: 1 }, { callback_url: "http://10.0.0.1/" }]) {
    const answer = await partner.post(SETTLEMENTS, createBody(changes));
    expect(answer.status).toBe(422);
    const { errors, code } = expectRefusal(answer, 422, JSON.parse(answer.text).code);
    expect(errors?.[0], code).toMatchObject({
      pointer: `/${Object.keys(changes)[0]}`,
      code: expect.stringMatching(/^[a-z_]+$/),
      message: expect.stringMatching(/.+/),
    });
  }
});

test("every answer carries a request id of its own, the good ones and those outside the surface too", async () => {
  const { tx_id } = await quote();
  const answers = [
    await partner.get(`${SETTLEMENTS}/${tx_id}`),
    await partner.get("/api/v1/pairs"),
    await get("/api/v1/nothing"),
    await get("/api/v1/pairs"),
    await get("/time"),
    await get("/health"),
  ];
  const ids = answers.map(({ headers }) => headers["x-request-id"]);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]+$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a request id that the caller brings is not believed", async () => {
  const answer = await exchange(BASE_URL, { method: "GET", target: "/time", headers: [["X-Request-Id", "req_mine"]] });
  expect(answer.headers["x-request-id"]).not.toBe("req_mine");
});

test("no answer shows a stack, SQL, a path or a secret", async () => {
  const hostile = ["' or 1=1 --", "{{7*7}}", "../../etc/passwd", "<script>alert(1)</script>", "\u202e", "a".repeat(10_000)];
  for (const text of hostile) {
    for (const field of ["source_currency", "destination_currency", "external_merchant_id", "chain", "wallet_address", "callback_url"]) {
      const answer = await partner.post(SETTLEMENTS, createBody({ [field]: text }));
      expect([201, 422], `${field}: ${answer.text}`).toContain(answer.status);
      expect(answer.text).not.toMatch(/\bat .*\.(ts|js|mjs):\d+|node_modules|select .* from|insert into|postgres/i);
      for (const secret of [sandbox.partner.api_secret, sandbox.partner.callback_secret]) expect(answer.text).not.toContain(secret);
    }
  }
});

test("answers are not kept by caches and are what they say they are", async () => {
  const { tx_id } = await quote();
  const answer = await partner.get(`${SETTLEMENTS}/${tx_id}`);
  expect(answer.headers["cache-control"]).toMatch(/no-store|private/);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  expect(answer.headers["x-powered-by"]).toBeUndefined();
});
