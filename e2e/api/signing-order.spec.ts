import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { exchange } from "#sandbox/client/exchange.ts";
import { BRAND } from "#sandbox/client/signing.ts";
import { expectRefusal, readJson } from "../support/answers.ts";
import { advanceClock, MINUTE } from "../support/clock.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { SETTLEMENTS } from "../support/settlements.ts";
import { type Draft, draft, headerOf, send, withHeader, without } from "../support/signed.ts";

/** Contract, part 3: each 401 at its step, with every later step wrong as well. */

const TIMESTAMP = `X-${BRAND}-Timestamp`;
const NONCE = `X-${BRAND}-Nonce`;
const SIGNATURE = `X-${BRAND}-Signature`;
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Wrong in everything that is checked after the key: time, nonce, signature, content type, JSON, the route's body. */
const allWrong: Draft = [
  [TIMESTAMP, "yesterday"],
  [NONCE, "not-a-uuid"],
  [SIGNATURE, "00"],
  ["Content-Type", "text/plain"],
].reduce((request, [name = "", value = ""]) => withHeader(request, name, value), draft({ target: SETTLEMENTS, body: "{" }));

/** The real second's first tenth, so that a second does not pass between stamping and checking. */
async function atSecondsStart(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000) + 20));
}

test("a right signature is accepted, and the echo is what was signed", async () => {
  const request = draft({ target: "/api/v1/echo?a=1&b=2", body: '{"héllo":  "wörld"}' });
  const echo = readJson(await send(request));
  const timestamp = headerOf(request, TIMESTAMP);
  expect(echo).toMatchObject({
    timestamp,
    method: "POST",
    path: "/api/v1/echo",
    query: "a=1&b=2",
    body_length: Buffer.byteLength(String(request.body)),
    body_sha256: sha256(String(request.body)),
    signing_string_sha256: sha256(`${timestamp}\nPOST\n/api/v1/echo\na=1&b=2\n${request.body}`),
  });
});

for (const name of ["Authorization", TIMESTAMP, NONCE, SIGNATURE]) {
  test(`1: without ${name}, missing_credentials, everything else wrong too`, async () => {
    expectRefusal(await send(without(withHeader(allWrong, "Authorization", "key_test_nobody"), name)), 401, "missing_credentials");
    expectRefusal(await send(without(draft(), name)), 401, "missing_credentials");
    expectRefusal(await send(withHeader(draft(), name, "")), 401, "missing_credentials");
  });
}

test("2: an unknown key comes before time, nonce and signature", async () => {
  for (const key of [
    "key_test_nobody",
    sandbox.partner.api_secret,
    sandbox.partner.api_key.slice(0, -1),
    `Bearer ${sandbox.partner.api_key}`,
  ]) {
    expectRefusal(await send(withHeader(allWrong, "Authorization", key)), 401, "unknown_api_key");
  }
});

test("2: an operator's key signs nothing here", async () => {
  // We do not know its secret: whatever check it fails at, it is a 401.
  expect((await send(withHeader(draft(), "Authorization", sandbox.operator.api_key))).status).toBe(401);
});

test("3: a timestamp that is no digits or stale comes before nonce and signature, and says the server's time", async () => {
  const now = nowSeconds();
  for (const stale of [
    "yesterday",
    `${now}.5`,
    `-${now}`,
    `+${now}`,
    `0x${now.toString(16)}`,
    "1e9",
    `${now}000`,
    String(now - 302),
    String(now + 302),
  ]) {
    const refusal = expectRefusal(await send(withHeader(allWrong, TIMESTAMP, stale)), 401, "stale_timestamp");
    expect(refusal, stale).toHaveProperty("server_time");
    expect(refusal, stale).toHaveProperty("skew_seconds");
  }
});

test("3: 300 seconds either way are accepted, 301 are not", async () => {
  for (const [skew, status] of [
    [-300, 200],
    [300, 200],
    [-301, 401],
    [301, 401],
  ] as const) {
    await atSecondsStart();
    const answer = await send(draft({ timestamp: String(nowSeconds() + skew) }));
    expect(answer.status, `${skew} s: ${answer.text}`).toBe(status);
  }
});

test("3: the sandbox's clock does not move the check of timestamps", async () => {
  await advanceClock(10 * MINUTE);
  expect((await send(draft())).status).toBe(200);
});

test("4: a nonce that is no UUIDv4 comes before the signature", async () => {
  const stamped = withHeader(allWrong, TIMESTAMP, String(nowSeconds()));
  const v1 = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  const otherVariant = "6ba7b810-9dad-41d1-c0b4-00c04fd430c8";
  for (const nonce of ["nonce", v1, otherVariant, randomUUID().replaceAll("-", ""), `{${randomUUID()}}`, `${randomUUID()}0`]) {
    expectRefusal(await send(withHeader(stamped, NONCE, nonce)), 401, "invalid_nonce");
  }
});

test("5: a signature that does not match says what the server saw, before content type and body", async () => {
  const request = draft({ target: `${SETTLEMENTS}?a=%7e`, body: "{" });
  const refusal = expectRefusal(
    await send(withHeader(withHeader(request, SIGNATURE, "ab".repeat(32)), "Content-Type", "text/plain")),
    401,
    "signature_mismatch",
  );
  expect(refusal.received).toEqual({
    method: "POST",
    path: SETTLEMENTS,
    query: "a=%7e",
    body_length: 1,
    body_sha256: sha256("{"),
    signing_string_sha256: sha256(`${headerOf(request, TIMESTAMP)}\nPOST\n${SETTLEMENTS}\na=%7e\n{`),
  });
});

test("5: shortened, lengthened, empty-looking and non-hex signatures are mismatches", async () => {
  const request = draft();
  const right = headerOf(request, SIGNATURE);
  for (const wrong of [
    right.slice(0, -2),
    right.slice(0, 16),
    `${right}00`,
    `0x${right}`,
    "zz".repeat(32),
    `${right.slice(0, -1)}g`,
    "00",
  ]) {
    expectRefusal(await send(withHeader(request, SIGNATURE, wrong)), 401, "signature_mismatch");
  }
  expect((await send(request)).status).toBe(200);
});

test("5: anything changed after signing is a mismatch", async () => {
  const request = draft({ target: "/api/v1/echo?a=1&b=2" });
  const changed = [
    { ...request, body: '{"hello":1}' },
    { ...request, target: "/api/v1/echo?b=2&a=1" },
    { ...request, target: "/api/v1/echo" },
    withHeader(request, TIMESTAMP, String(Number(headerOf(request, TIMESTAMP)) - 1)),
    withHeader(request, "Authorization", sandbox.second_partner.api_key),
  ];
  for (const one of changed) expectRefusal(await send(one), 401, "signature_mismatch");
});

test("5: the hex may be in capitals", async () => {
  const request = draft();
  expect((await send(withHeader(request, SIGNATURE, headerOf(request, SIGNATURE).toUpperCase()))).status).toBe(200);
});

test("6: a used nonce comes before content type and body", async () => {
  const nonce = randomUUID();
  expect((await send(draft({ nonce }))).status).toBe(200);
  const again = draft({ nonce, target: SETTLEMENTS, body: "{" });
  expectRefusal(await send(withHeader(again, "Content-Type", "text/plain")), 401, "nonce_reused");
});

test("header names are read in any case", async () => {
  const request = draft();
  expect((await send({ ...request, headers: request.headers.map(([name, value]) => [name.toLowerCase(), value]) })).status).toBe(200);
});

test("every route under /api/v1 needs a signature; other routes do not", async () => {
  const targets = ["settlements", "settlements/tx_x", "settlements/tx_x/callbacks", "pairs", "rates/preview"];
  for (const target of targets) {
    expectRefusal(await exchange(BASE_URL, { method: "GET", target: `/api/v1/${target}`, headers: [] }), 401, "missing_credentials");
  }
  const posts = ["settlements", "settlements/confirm", "settlements/cancel", "settlements/x/confirm", "settlements/x/cancel", "echo"];
  for (const target of [...posts, "settlements/x/callbacks/y/resend"]) {
    expectRefusal(await exchange(BASE_URL, { method: "POST", target: `/api/v1/${target}`, headers: [] }), 401, "missing_credentials");
  }
});
