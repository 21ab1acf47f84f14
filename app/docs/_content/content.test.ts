import { expect, test } from "vitest";
import recorded from "#contract/openapi-examples.json" with { type: "json" };
import { settlementSchema } from "#contract/settlement/v1/settlement.ts";
import { SETTLEMENT_EVENTS } from "#domain/lifecycle.ts";
import { BURST } from "#server/rest/rate-limiter.ts";
import { MAX_BODY_BYTES } from "#server/rest/read-input.ts";
import { IDEMPOTENCY_LIFETIME_MS } from "#server/services/access/answer-once.ts";
import { TOLERANCE_SECONDS } from "#server/services/access/authenticate-signed-request.ts";
import { APPROVAL_WINDOW_DAYS } from "#server/services/settlements/reject-overdue-settlements.ts";
import { ERROR_ADVICE } from "./errors.ts";
import { exampleArithmetic, exampleCallback, exampleSettlement } from "./example.ts";
import { duration, FACTS } from "./facts.ts";
import { OPERATIONS } from "./operations.ts";

const SITE = {
  baseUrl: "https://api.example.com",
  brand: "Service",
  headers: { timestamp: "X-Service-Timestamp", nonce: "X-Service-Nonce", signature: "X-Service-Signature" },
  sandbox: false,
  example: { chain: "eip155:1", currency: "USDT" },
  rateLimits: { writesPerSecond: 50, readsPerSecond: 200 },
  callbackAllowedHosts: [],
  callbackPorts: [443, 8443],
};

test("the figures on the pages are those that the service obeys", () => {
  expect(FACTS).toEqual({
    timestampToleranceSeconds: TOLERANCE_SECONDS,
    idempotencyHours: IDEMPOTENCY_LIFETIME_MS / 3_600_000,
    maxBodyKiB: MAX_BODY_BYTES / 1_024,
    approvalWindowDays: APPROVAL_WINDOW_DAYS,
    burst: BURST,
  });
});

test("the example of a settlement is one that the published schema accepts, and its amounts add up", () => {
  const settlement = settlementSchema.parse(JSON.parse(exampleSettlement(SITE)));
  const { gross, fee, net } = exampleArithmetic();
  const { source_amount, destination_amount, exchange_rate } = recorded.settlement.answers.create_settlement["201"];
  expect(settlement, "it is what a sandbox answers").toMatchObject({ source_amount, destination_amount, exchange_rate });
  expect([settlement.destination_amount, settlement.platform_fee]).toEqual([Number(net), Number(fee)]);
  expect(Math.round((Number(gross) - Number(fee) - Number(net)) * 1e6)).toBe(0);
});

test("every callback has an example", () => {
  for (const event of SETTLEMENT_EVENTS)
    expect(JSON.parse(exampleCallback(SITE, event))).toMatchObject({ chain: "eip155:1", platform_fee: 0.5 });
});

test("advice on an error is whole sentences, and no two codes have the same", () => {
  const texts = Object.values(ERROR_ADVICE).flatMap(({ meaning, remedy }) => [meaning, remedy]);
  for (const text of texts) expect(text).toMatch(/^[A-Z`].+\.$/s);
  expect(new Set(Object.values(ERROR_ADVICE).map((advice) => advice.meaning)).size).toBe(Object.keys(ERROR_ADVICE).length);
});

test("every operation is listed once, with a path of its own under its method", () => {
  expect(OPERATIONS.map(({ id }) => id)).toContain("create_settlement");
  expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length);
});

test.each([
  [60, "1 minute"],
  [300, "5 minutes"],
  [43_200, "12 hours"],
  [90, "90 seconds"],
])("%i seconds are written as %s", (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});
