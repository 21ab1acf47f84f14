import { expect, test } from "@playwright/test";
import { exchange } from "#sandbox/client/exchange.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { readJson } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, quote } from "../support/settlements.ts";

/** Outside the surface, unsigned: the time, and what an operator's monitoring reads. */

const get = (target: string) => exchange(BASE_URL, { method: "GET", target, headers: [] });

test("/time is the server's real time, as an instant and in seconds", async () => {
  const { now, epoch_seconds } = readJson(await get("/time"));
  expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Number.isInteger(epoch_seconds)).toBe(true);
  expect(Math.floor(new Date(String(now)).getTime() / 1_000)).toBe(epoch_seconds);
  expect(Math.abs(Number(epoch_seconds) - Date.now() / 1_000)).toBeLessThan(AT_ONCE_MS / 1_000);
});

test("/time knows GET alone", async () => {
  const answer = await exchange(BASE_URL, { method: "POST", target: "/time", headers: [] });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toContain("GET");
});

test("/health says alive, /ready says of what it is ready", async () => {
  expect((await get("/health")).status).toBe(200);
  const ready = await get("/ready");
  expect(ready.status, ready.text).toBe(200);
  for (const part of [/database/i, /due/i, /chain|rpc|head/i, /rate/i]) expect(ready.text).toMatch(part);
  expect(ready.text).not.toContain("postgres://");
});

test("/metrics speaks Prometheus of requests, callbacks, transfers, rates, treasury and due work", async () => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  await partner.get("/api/v1/settlements/nonsense");
  const metrics = await get("/metrics");
  expect(metrics.status).toBe(200);
  expect(metrics.headers["content-type"]).toMatch(/^(text\/plain|application\/openmetrics-text)/);
  for (const family of [/request/, /callback/, /transfer/, /rate.*age|age.*rate/, /treasury/, /due/]) {
    expect(metrics.text).toMatch(new RegExp(`^# TYPE \\S*${family.source}`, "m"));
  }
  const requests = metrics.text.split("\n").filter((line) => !line.startsWith("#") && line.includes("get_settlement"));
  expect(requests.length).toBeGreaterThan(0);
  for (const secret of [sandbox.partner.api_key, sandbox.partner.api_secret, tx_id]) expect(metrics.text).not.toContain(secret);
});

test("what is nowhere is 404, whatever the method", async () => {
  for (const [method, target] of [
    ["GET", "/nothing"],
    ["POST", "/nothing"],
    ["GET", "/sandbox"],
    ["GET", "/.env"],
    ["GET", "/api"],
    ["GET", "/.data/sandbox.json"],
  ] as const) {
    expect((await exchange(BASE_URL, { method, target, headers: [] })).status, `${method} ${target}`).toBe(404);
  }
});
