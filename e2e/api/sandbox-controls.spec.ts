import { expect, test } from "@playwright/test";
import { RETRY_DELAYS_SECONDS } from "#domain/callback.ts";
import type { SimulatedReceiver } from "#domain/simulated-receiver.ts";
import { SIMULATED_DECISION_SECONDS, type SimulatedWallet } from "#domain/simulated-wallet.ts";
import { tokenBalance } from "#sandbox/client/chain.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { expectOperatorError, readJson } from "../support/answers.ts";
import { operator, partner } from "../support/client.ts";
import { advanceClock, businessNow, clockAnswer } from "../support/clock.ts";
import { operatorClient } from "../support/patient.ts";
import { BASE_URL, chain, sandbox } from "../support/running-sandbox.ts";
import { approvedTowards, confirm, ended, find, freshWallet, pendingQuote, quote, setRate, tried, until } from "../support/settlements.ts";

/** Contract, parts 8 and 9 "Clocks": the movable clock and the movable rates. */

const CONTROLS = [
  ["GET", "/sandbox/clock", undefined],
  ["POST", "/sandbox/clock", { advance_seconds: 0 }],
  ["PUT", "/sandbox/rates", { source_currency: "PHP", destination_currency: "USDC", rate: 0.0172 }],
] as const;

test("only the operator's key moves anything", async () => {
  for (const [method, target, body] of CONTROLS) {
    const unsigned = await exchange(BASE_URL, {
      method,
      target,
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify(body),
    });
    expectOperatorError(unsigned, 401, "missing_api_key");
    expectOperatorError(await operatorClient(BASE_URL, { api_key: "key_test_nobody" }).call(method, target, body), 401, "unknown_api_key");
    expectOperatorError(await operatorClient(BASE_URL, sandbox.partner).call(method, target, body), 403, "forbidden");
  }
});

test("the clock moves forward by as much as is said, and business time with it; real time stays", async () => {
  const before = clockAnswer.parse(readJson(await operator.call("GET", "/sandbox/clock")));
  const realBefore = Number(readJson(await exchange(BASE_URL, { method: "GET", target: "/time", headers: [] })).epoch_seconds);
  const after = clockAnswer.parse(readJson(await operator.call("POST", "/sandbox/clock", { advance_seconds: 90 })));
  expect(after.offset_seconds - before.offset_seconds).toBe(90);
  const moved = (new Date(after.now).getTime() - new Date(before.now).getTime()) / 1_000;
  expect(moved).toBeGreaterThanOrEqual(90);
  expect(moved).toBeLessThan(90 + AT_ONCE_MS / 1_000);
  const { created_at } = await quote();
  expect(Math.abs(new Date(created_at).getTime() - (await businessNow()).getTime())).toBeLessThan(AT_ONCE_MS);
  const realAfter = Number(readJson(await exchange(BASE_URL, { method: "GET", target: "/time", headers: [] })).epoch_seconds);
  expect(realAfter - realBefore).toBeLessThan(90);
  expect(Math.abs(realAfter - Date.now() / 1_000)).toBeLessThan(AT_ONCE_MS / 1_000);
});

test("the offset is how far business time is from real time", async () => {
  const { now, offset_seconds } = clockAnswer.parse(readJson(await operator.call("GET", "/sandbox/clock")));
  expect(Math.abs(new Date(now).getTime() - Date.now() - offset_seconds * 1_000)).toBeLessThan(AT_ONCE_MS);
});

test("a body that makes no sense moves nothing", async () => {
  const before = clockAnswer.parse(readJson(await operator.call("GET", "/sandbox/clock")));
  for (const body of [
    {},
    { advance_seconds: -60 },
    { advance_seconds: "60" },
    { advance_seconds: 1.5 },
    { advance_seconds: 1, x: 1 },
    [],
  ]) {
    const answer = await operator.call("POST", "/sandbox/clock", body);
    expect(answer.status, JSON.stringify(body)).toBe(422);
    expect(readJson(answer, 422).detail).toEqual(expect.any(Array));
  }
  const { offset_seconds } = clockAnswer.parse(readJson(await operator.call("GET", "/sandbox/clock")));
  expect(offset_seconds).toBe(before.offset_seconds);
});

test("a rate that is no rate is refused", async () => {
  const pair = { source_currency: "PHP", destination_currency: "USDC" };
  for (const rate of [0, -1, "0.5", true]) {
    const answer = await operator.call("PUT", "/sandbox/rates", { ...pair, rate });
    expect(answer.status, `${rate}: ${answer.text}`).toBe(422);
  }
  expect((await operator.call("PUT", "/sandbox/rates", pair)).status).toBe(422);
  expect((await operator.call("PUT", "/sandbox/rates", { ...pair, rate: 0.0172, note: "x" })).status).toBe(422);
  expect((await partner.get(`/api/v1/rates/preview?source_currency=PHP&destination_currency=USDC&chain=${chain.chain}`)).status).toBe(200);
});

test("a rate moves the next quote, and leaves those that were made", async () => {
  await setRate("NGN", "USDC", 0.00065);
  const old = await quote({ source_currency: "NGN", destination_currency: "USDC", source_amount: 5_000_000 });
  await setRate("NGN", "USDC", 0.0013);
  const fresh = await quote({ source_currency: "NGN", destination_currency: "USDC", source_amount: 5_000_000 });
  expect(fresh.exchange_rate / old.exchange_rate).toBeCloseTo(2, 6);
  const { exchange_rate } = JSON.parse((await partner.get(`/api/v1/settlements/${old.tx_id}`)).text);
  expect(exchange_rate).toBe(old.exchange_rate);
  await setRate("NGN", "USDC", 0.00065);
});

test("rates do not grow old by the sandbox's clock", async () => {
  await advanceClock(86_400);
  expect((await quote()).status).toBe("quoted");
});

test("a wallet of the right ending is decided on by itself, once its five seconds of business time are over", async () => {
  const yes = await pendingQuote({ wallet_address: steeringWallet("999951") });
  const no = await pendingQuote({ wallet_address: steeringWallet("999952") });
  const nothing = await pendingQuote();
  await advanceClock(SIMULATED_DECISION_SECONDS + 1);
  expect(
    await until(
      () => find(yes.tx_id),
      ({ approval_state }) => approval_state !== "pending",
    ),
  ).toMatchObject({ approval_state: "approved" });
  expect(
    await until(
      () => find(no.tx_id),
      ({ approval_state }) => approval_state !== "pending",
    ),
  ).toMatchObject({ status: "cancelled" });
  expect((await find(nothing.tx_id)).approval_state).toBe("pending");
});

test("a payment whose block the chain drops before it is final is executed all the same, once", async () => {
  const wallet = steeringWallet("999954");
  const { tx_id, destination_amount } = await quote({ wallet_address: wallet });
  await confirm(tx_id);
  expect((await ended(tx_id)).status).toBe("executed");
  expect(Number(await tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet)) / 1e6).toBeCloseTo(destination_amount, 6);
});

test("the sandbox's receivers answer as the end of their address says", async () => {
  const towards = (name: SimulatedReceiver) => approvedTowards(`${sandbox.receivers.url}/${name}`);
  const [well, late, never] = [await towards("well"), await towards("fails-three-times"), await towards("never")];
  expect((await tried(well, 1)).attempts.map(({ response_status }) => response_status)).toEqual([200]);
  for (const [index, seconds] of RETRY_DELAYS_SECONDS.slice(0, 3).entries()) {
    await Promise.all([late, never].map((id) => tried(id, index + 1)));
    await advanceClock(seconds + 1);
  }
  expect((await tried(late, 4)).attempts.map(({ response_status }) => response_status)).toEqual([500, 500, 500, 200]);
  expect((await tried(never, 4)).attempts.map(({ response_status }) => response_status)).toEqual([500, 500, 500, 500]);
});

/** A wallet of that ending which nobody has used. */
function steeringWallet(ending: SimulatedWallet): string {
  return `${freshWallet().toLowerCase().slice(0, -ending.length)}${ending}`;
}
