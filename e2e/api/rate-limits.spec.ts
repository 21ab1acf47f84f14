import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { type Answer, exchange } from "#sandbox/client/exchange.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { BRAND, type Credentials } from "#sandbox/client/signing.ts";
import { SETTLEMENTS } from "../support/settlements.ts";
import { type Draft, draft, withHeader } from "../support/signed.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/**
 * Contract, parts 3, 5 and 9: token buckets per key, with a burst of twice the rate. In a separate sandbox, whose limits are so low that
 * the slowest machine reaches them.
 */

const WRITES_PER_SECOND = 2;
const READS_PER_SECOND = 3;
const REFILL_MS = 2_500;

const directory = newDirectory();
let own: OwnSandbox;
let sandbox: SandboxFile;

test.beforeAll(async () => {
  const limits = { RATE_LIMIT_WRITES_PER_SECOND: String(WRITES_PER_SECOND), RATE_LIMIT_READS_PER_SECOND: String(READS_PER_SECOND) };
  own = await startSandbox(directory, limits);
  sandbox = readSandboxFile(own.file);
  // The first requests of a process that has just started load what it needs: on a busy machine that takes longer than a request may.
  for (const make of [write, read]) await expect.poll(async () => (await send(make())).status).toBe(404);
});
test.afterAll(async () => {
  await own?.stop();
  removeDirectory(directory);
});
/** Every story finds full buckets. */
test.beforeEach(() => new Promise((resolve) => setTimeout(resolve, REFILL_MS)));

/** Cheap and harmless: cancelling or reading a settlement that does not exist. */
const write = (credentials: Credentials = sandbox.partner): Draft =>
  draft({ target: `${SETTLEMENTS}/tx_00000000000000000000000000/cancel`, body: "", credentials });
const read = (credentials: Credentials = sandbox.partner): Draft =>
  draft({ method: "GET", target: `${SETTLEMENTS}/tx_00000000000000000000000000`, credentials });

const send = (request: Draft): Promise<Answer> => exchange(sandbox.base_url, request);
const sendAll = (drafts: Draft[]): Promise<Answer[]> => Promise.all(drafts.map(send));
const many = (count: number, make: () => Draft): Draft[] => Array.from({ length: count }, make);

/**
 * How many of the answers may have passed: the burst, and the refill meanwhile. On a busy machine, a request may exceed its time limit
 * (503): whether such a one had passed is unknown.
 */
function expectLimited(answers: Answer[], perSecond: number, seconds: number): Answer {
  const passed = answers.filter(({ status }) => status === 404).length;
  const refused = answers.filter(({ status }) => status === 429);
  const late = answers.filter(({ status }) => status === 503).length;
  expect(passed + refused.length + late).toBe(answers.length);
  expect(passed + late).toBeGreaterThanOrEqual(2 * perSecond);
  expect(passed).toBeLessThanOrEqual(2 * perSecond + Math.ceil(perSecond * seconds) + 1);
  const [first] = refused;
  if (first === undefined) throw new Error("the limit was not met");
  return first;
}

for (const [kind, make, perSecond] of [
  ["write", () => write(), WRITES_PER_SECOND],
  ["read", () => read(), READS_PER_SECOND],
] as const) {
  test(`beyond the burst a ${kind} is 429 with Retry-After, RateLimit and RateLimit-Policy`, async () => {
    const startedAt = Date.now();
    const answers = await sendAll(many(40, make));
    const refused = expectLimited(answers, perSecond, (Date.now() - startedAt) / 1_000);
    expect(JSON.parse(refused.text)).toMatchObject({ status: 429, code: "rate_limited", title: expect.any(String) });
    expect(refused.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(refused.headers["ratelimit-policy"]).toBe(`"${kind}";q=${perSecond};w=1`);
    expect(refused.headers.ratelimit).toMatch(new RegExp(`^"${kind}";r=\\d+;t=\\d+$`));
    const retryAfter = Number(refused.headers["retry-after"]);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    await new Promise((resolve) => setTimeout(resolve, retryAfter * 1_000));
    expect((await send(make())).status).toBe(404);
  });
}

test("an empty bucket is one key's writes alone: its reads and the other partner go on", async () => {
  const answers = await sendAll(many(30, write));
  expect(answers.some(({ status }) => status === 429)).toBe(true);
  expect((await send(read())).status).toBe(404);
  expect((await send(write(sandbox.second_partner))).status).toBe(404);
});

test("a refused request has burnt no nonce: it may be sent again as it is", async () => {
  const drafts = many(30, write);
  const answers = await sendAll(drafts);
  const refused = drafts[answers.findIndex(({ status }) => status === 429)];
  const passed = drafts[answers.findIndex(({ status }) => status === 404)];
  if (refused === undefined || passed === undefined) throw new Error("the limit was not met");
  await new Promise((resolve) => setTimeout(resolve, REFILL_MS));
  expect((await send(refused)).status).toBe(404);
  expect(JSON.parse((await send(passed)).text).code).toBe("nonce_reused");
});

test("a forged signature costs the partner nothing", async () => {
  const forged = await sendAll(many(30, () => withHeader(write(), `X-${BRAND}-Signature`, "00")));
  expect(new Set(forged.map(({ status }) => status))).toEqual(new Set([401]));
  expect((await send(write())).status).toBe(404);
});

test("a 429 under an Idempotency-Key is not kept", async () => {
  const drafts = many(20, () => withHeader(write(), "Idempotency-Key", randomUUID()));
  const answers = await sendAll(drafts);
  const index = answers.findIndex(({ status }) => status === 429);
  await new Promise((resolve) => setTimeout(resolve, REFILL_MS));
  const key = drafts[index]?.headers.find(([name]) => name === "Idempotency-Key")?.[1];
  const again = await send(withHeader(write(), "Idempotency-Key", key ?? ""));
  expect(again.status, again.text).toBe(404);
  expect(again.headers["idempotent-replayed"]).toBeUndefined();
});
