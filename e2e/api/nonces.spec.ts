import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { BRAND } from "#sandbox/client/signing.ts";
import { expectRefusal } from "../support/answers.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { createBody, SETTLEMENTS } from "../support/settlements.ts";
import { draft, send, withHeader } from "../support/signed.ts";

/** Contract, part 3: exactly one request per nonce and key, whatever races. */

test("fifty requests with one nonce at once: exactly one wins", async () => {
  const request = draft();
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(request)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 401, "nonce_reused");
});

test("one nonce under different timestamps and bodies is still one nonce", async () => {
  const nonce = randomUUID();
  const now = Math.floor(Date.now() / 1_000);
  expect((await send(draft({ nonce, timestamp: String(now - 200) }))).status).toBe(200);
  expectRefusal(await send(draft({ nonce, timestamp: String(now), body: "{}" })), 401, "nonce_reused");
  expectRefusal(await send(draft({ nonce, timestamp: String(now + 200), target: SETTLEMENTS })), 401, "nonce_reused");
});

test("nonces are compared in small letters", async () => {
  const nonce = randomUUID();
  expect((await send(draft({ nonce: nonce.toUpperCase() }))).status).toBe(200);
  expectRefusal(await send(draft({ nonce })), 401, "nonce_reused");
});

test("only a valid signature burns a nonce", async () => {
  const request = draft();
  expectRefusal(await send(withHeader(request, `X-${BRAND}-Signature`, "ab".repeat(32))), 401, "signature_mismatch");
  expect((await send(request)).status).toBe(200);
});

test("a valid signature burns it, whatever the operation says then", async () => {
  const request = draft({ target: SETTLEMENTS, body: JSON.stringify(createBody({ source_amount: 0 })) });
  expectRefusal(await send(request), 422, "validation_failed");
  expectRefusal(await send(request), 401, "nonce_reused");
});

test("nonces are per key: another partner's do not matter", async () => {
  const nonce = randomUUID();
  expect((await send(draft({ nonce }))).status).toBe(200);
  expect((await send(draft({ nonce, credentials: sandbox.second_partner }))).status).toBe(200);
});
