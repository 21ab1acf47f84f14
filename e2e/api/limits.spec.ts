import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import type { Answer } from "#sandbox/client/exchange.ts";
import { BRAND } from "#sandbox/client/signing.ts";
import { expectRefusal } from "../support/answers.ts";
import { partner, rival } from "../support/client.ts";
import { requestBytes, sendBytes } from "../support/raw.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { SETTLEMENTS } from "../support/settlements.ts";
import { type Draft, draft, send, withHeader } from "../support/signed.ts";

/** Contract, parts 3, 5 and 9: 64 KiB of body, and so many requests a second. The load goes by the second partner's key. */

const KIB_64 = 65_536;

test("64 KiB of body are read, one byte more is 413, before any signature is looked at", async () => {
  const whole = draft({ target: "/api/v1/echo", body: "x".repeat(KIB_64) });
  expect(JSON.parse((await send(whole)).text)).toMatchObject({ body_length: KIB_64 });
  const tooLarge = requestBytes("POST", SETTLEMENTS, [["Content-Length", String(KIB_64 + 1)]], "x".repeat(KIB_64 + 1));
  expectRefusal(await sendBytes(tooLarge), 413, "body_too_large");
});

test("a body that is announced too large is refused without being sent", async () => {
  expectRefusal(await sendBytes(requestBytes("POST", SETTLEMENTS, [["Content-Length", "104857600"]])), 413, "body_too_large");
});

test("a body in chunks is counted as it comes, and not read further", async () => {
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  const bytes = requestBytes("POST", SETTLEMENTS, [["Transfer-Encoding", "chunked"]], chunk.repeat(5));
  expectRefusal(await sendBytes(bytes), 413, "body_too_large");
});

test("a body in chunks is signed as the bytes that it is", async () => {
  const body = '{"hello": 1}';
  const chunked = `${"5\r\n"}${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;
  const { headers } = draft({ body });
  const answer = await sendBytes(requestBytes("POST", "/api/v1/echo", [...headers, ["Transfer-Encoding", "chunked"]], chunked));
  expect(answer.status, answer.text).toBe(200);
  expect(JSON.parse(answer.text)).toMatchObject({ body_length: body.length });
});

/** Cheap, harmless, signed: the cancellation of what is not there, or its reading. */
const writes = () =>
  draft({ target: `${SETTLEMENTS}/tx_00000000000000000000000000/cancel`, body: "", credentials: sandbox.second_partner });
const reads = () => draft({ method: "GET", target: `${SETTLEMENTS}/tx_00000000000000000000000000`, credentials: sandbox.second_partner });

/** Sends all of them, so many at a time, as fast as the service answers: the bucket runs dry on the way. */
async function sendAll(drafts: readonly Draft[], atOnce = 50): Promise<Answer[]> {
  const answers: Answer[] = [];
  const waiting = drafts.map((one, index) => ({ one, index }));
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) answers[next.index] = await send(next.one);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return answers;
}

async function flood(make: typeof writes, count: number): Promise<{ answers: Answer[]; refused: Answer[] }> {
  const answers = await sendAll(Array.from({ length: count }, make));
  return { answers, refused: answers.filter(({ status }) => status === 429) };
}

test("fifty writes a second with a burst of a hundred: then 429 with Retry-After, RateLimit and RateLimit-Policy", async () => {
  test.setTimeout(60_000);
  const { answers, refused } = await flood(writes, 400);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(100);
  for (const answer of refused.slice(0, 5)) {
    expectRefusal(answer, 429, "rate_limited");
    expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(answer.headers["ratelimit-policy"]).toBe('"write";q=50;w=1');
    expect(answer.headers.ratelimit).toMatch(/^"write";r=\d+;t=\d+$/);
  }
});

test("a full bucket is one key's writes alone: its reads and the other partner go on", async () => {
  test.setTimeout(60_000);
  const [{ refused }, ownRead, otherWrite] = await Promise.all([
    flood(writes, 400),
    rival.get("/api/v1/pairs"),
    partner.post(`${SETTLEMENTS}/tx_00000000000000000000000000/cancel`),
  ]);
  expect(refused.length).toBeGreaterThan(0);
  expect(ownRead.status, ownRead.text).toBe(200);
  expect(otherWrite.status, otherWrite.text).toBe(404);
});

test("a refused request has burnt no nonce: it may be sent again as it is; an unsigned one costs nobody anything", async () => {
  test.setTimeout(60_000);
  const drafts = Array.from({ length: 400 }, writes);
  const answers = await sendAll(drafts);
  const refused = drafts[answers.findIndex(({ status }) => status === 429)];
  if (refused === undefined) throw new Error("the limit was not met");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expectRefusal(await send(refused), 404, "settlement_not_found");

  const forged = Array.from({ length: 300 }, () => withHeader(writes(), `X-${BRAND}-Signature`, "00"));
  const unsigned = await sendAll(forged);
  expect(new Set(unsigned.map(({ status }) => status))).toEqual(new Set([401]));
  expect((await rival.post(`${SETTLEMENTS}/tx_00000000000000000000000000/cancel`)).status).toBe(404);
});

test("two hundred reads a second with a burst of four hundred", async () => {
  test.setTimeout(90_000);
  const { answers, refused } = await flood(reads, 2_000);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(400);
  expect(refused[0]?.headers["ratelimit-policy"]).toBe('"read";q=200;w=1');
  expect(refused[0]?.headers.ratelimit).toMatch(/^"read";r=\d+;t=\d+$/);
});

test("a 429 under an Idempotency-Key is not kept", async () => {
  test.setTimeout(60_000);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const key = randomUUID();
  const keyed = () => {
    const request = writes();
    return { ...request, headers: [...request.headers, ["Idempotency-Key", key] as const] };
  };
  const answers = await sendAll(Array.from({ length: 400 }, (_, index) => (index === 399 ? keyed() : writes())));
  const last = answers.at(-1);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const again = await send(keyed());
  expectRefusal(again, 404, "settlement_not_found");
  expect(again.headers["idempotent-replayed"]).toBe(last?.status === 429 ? undefined : "true");
});
