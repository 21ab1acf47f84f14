import { expect, test } from "@playwright/test";
import { resendCallbackOperation } from "#contract/settlement/v1/operations.ts";
import { acknowledge, answerStatus, type Delivery, openReceiver, type Receiver } from "#sandbox/client/receiver.ts";
import { BRAND } from "#sandbox/client/signing.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import { expectFault, expectRefusal, read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { advanceClock, advancePast, HOUR, MINUTE } from "../support/clock.ts";
import { literalOf } from "../support/money.ts";
import { sandbox } from "../support/running-sandbox.ts";
import {
  approvedTowards,
  type Callback,
  callbacksOf,
  confirm,
  ended,
  find,
  onlyCallback,
  quote,
  SETTLEMENTS,
  tried,
  until,
} from "../support/settlements.ts";

/** Specification, part 6; contract, parts 4 and 9 "Callbacks". */

const DELAYS_SECONDS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];

let receiver: Receiver;
test.beforeEach(async () => {
  receiver = await openReceiver();
});
test.afterEach(() => receiver.close());

/** A settlement whose terminal callback goes to the receiver. */
async function executedSettlement(changes: Record<string, unknown> = {}): Promise<string> {
  const { tx_id } = await quote(changes);
  await confirm(tx_id, { callback_url: receiver.url });
  expect((await ended(tx_id)).status).toBe("executed");
  return tx_id;
}

const callbackWhere = (txId: string, satisfies: (callback: Callback) => boolean) => until(() => onlyCallback(txId), satisfies, 20_000);

/** Moves the clock until six attempts of the callback have failed, after the attempts that it had `before`. */
async function exhaust(txId: string, before = 0): Promise<Callback> {
  for (let number = 1; number <= DELAYS_SECONDS.length; number += 1) {
    const { next_attempt_at } = await tried(txId, before + number);
    await advancePast(next_attempt_at ?? "");
  }
  return callbackWhere(txId, ({ state }) => state === "undelivered");
}

const headerOf = (delivery: Delivery | undefined, name: string) => delivery?.headers[name.toLowerCase()];

test("the terminal callback of an executed settlement has exactly the specification's fields and both signatures", async () => {
  const tx_id = await executedSettlement();
  const settlement = await find(tx_id);
  const delivery = await receiver.delivery(1);
  expect(delivery.method).toBe("POST");
  expect(delivery.target).toBe("/callbacks?shop=7");
  expect(delivery.headers["content-type"]).toMatch(/^application\/json/);
  expect(verifyCallback(delivery, sandbox.partner)).toEqual({
    tx_id,
    external_tx_id: settlement.external_tx_id,
    status: "executed",
    tx_hash: settlement.tx_hash,
    chain: settlement.chain,
    destination_amount: settlement.destination_amount,
    platform_fee: settlement.platform_fee,
    executed_at: settlement.executed_at,
  });
  expect(literalOf(delivery.body.toString("utf8"), "destination_amount")).toMatch(/^\d+(\.\d+)?$/);
  const delivered = await callbackWhere(tx_id, ({ state }) => state === "delivered");
  expect(delivered).toMatchObject({ event: "settlement.executed", callback_url: receiver.url, next_attempt_at: null });
  expect(delivered.id).toBe(headerOf(delivery, "webhook-id"));
  expect(delivered.delivered_at).not.toBeNull();
  expect(delivered.payload).toEqual(JSON.parse(delivery.body.toString("utf8")));
  expect(delivered.attempts).toMatchObject([{ number: 1, series: 1, response_status: 200, error: null }]);
  expect((await find(tx_id)).undelivered_callbacks).toEqual([]);
});

test("the terminal callback of a failed settlement says why", async () => {
  const { tx_id } = await quote({ wallet_address: sandbox.outcomes.blocked_wallet });
  await confirm(tx_id, { callback_url: receiver.url });
  const settlement = await ended(tx_id);
  expect(verifyCallback(await receiver.delivery(1), sandbox.partner)).toEqual({
    tx_id,
    external_tx_id: settlement.external_tx_id,
    status: "failed",
    chain: settlement.chain,
    destination_amount: settlement.destination_amount,
    platform_fee: settlement.platform_fee,
    failure_reason: settlement.failure_reason,
  });
  expect((await onlyCallback(tx_id)).event).toBe("settlement.failed");
});

test("a bent byte breaks both signatures", async () => {
  await executedSettlement();
  const delivery = await receiver.delivery(1);
  const bent = { ...delivery, body: Buffer.from(delivery.body.toString("utf8").replace("executed", "Executed")) };
  expect(() => verifyCallback(bent, sandbox.partner)).toThrow();
  const mirroredOnly = { ...delivery, target: "/callbacks?shop=8" };
  expect(() => verifyCallback(mirroredOnly, sandbox.partner)).toThrow(/mirrored/);
});

test("six attempts, each its delay after the one before ended, the same bytes, then undelivered in GET; resend starts again", async () => {
  receiver.answer(answerStatus(500));
  const tx_id = await executedSettlement();
  const given = await exhaust(tx_id);

  expect(receiver.deliveries).toHaveLength(6);
  expect(given.attempts.map(({ number, series }) => [number, series])).toEqual([1, 2, 3, 4, 5, 6].map((number) => [number, 1]));
  expect(given.next_attempt_at).toBeNull();
  for (const [index, delay] of DELAYS_SECONDS.entries()) {
    const [before, after] = [given.attempts[index], given.attempts[index + 1]];
    const endedAt = new Date(before?.sent_at ?? 0).getTime() + (before?.duration_ms ?? 0);
    const waited = (new Date(after?.scheduled_at ?? 0).getTime() - endedAt) / 1_000;
    expect(Math.abs(waited - delay), `attempt ${index + 2}`).toBeLessThan(2);
    expect(before).toMatchObject({ response_status: 500 });
  }
  const [first] = receiver.deliveries;
  for (const delivery of receiver.deliveries) {
    expect(verifyCallback(delivery, sandbox.partner)).toMatchObject({ tx_id, status: "executed" });
    expect(delivery.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(headerOf(delivery, "webhook-id")).toBe(given.id);
  }
  expect(new Set(receiver.deliveries.map((delivery) => headerOf(delivery, `x-${BRAND}-nonce`))).size).toBe(6);

  const [undelivered] = (await find(tx_id)).undelivered_callbacks;
  expect(undelivered).toMatchObject({ id: given.id, event: "settlement.executed", callback_url: receiver.url, payload: given.payload });
  expect(undelivered?.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  const listed = await partner.get(`${SETTLEMENTS}?external_tx_id=${(await find(tx_id)).external_tx_id}`);
  expect(JSON.parse(listed.text).data[0].undelivered_callbacks).toHaveLength(1);

  await advanceClock(24 * HOUR);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(receiver.deliveries).toHaveLength(6);

  receiver.answer(acknowledge);
  const target = `${SETTLEMENTS}/${tx_id}/callbacks/${given.id}/resend`;
  const answer = read(resendCallbackOperation, await partner.post(target));
  expect(answer).toMatchObject({ id: given.id, state: "pending" });
  const again = await receiver.delivery(7);
  expect(again.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
  expect(headerOf(again, "webhook-id")).toBe(given.id);
  const delivered = await callbackWhere(tx_id, ({ state }) => state === "delivered");
  expect(delivered.attempts.at(-1)).toMatchObject({ number: 1, series: 2, response_status: 200 });
  expect((await find(tx_id)).undelivered_callbacks).toEqual([]);
});

test("a resend that fails as well has six attempts of its own", async () => {
  const tx_id = await approvedTowards(receiver.url);
  const { id } = await callbackWhere(tx_id, ({ state }) => state === "delivered");
  receiver.answer(answerStatus(503));
  read(resendCallbackOperation, await partner.post(`${SETTLEMENTS}/${tx_id}/callbacks/${id}/resend`));
  const given = await exhaust(tx_id, 1);
  expect(given.attempts.map(({ number, series }) => [series, number])).toEqual([
    [1, 1],
    ...[1, 2, 3, 4, 5, 6].map((number) => [2, number]),
  ]);
  expect((await find(tx_id)).undelivered_callbacks[0]?.attempts).toHaveLength(6);
});

test("a pending callback cannot be resent, a delivered one can, one that is not there is 404", async () => {
  receiver.answer(answerStatus(500));
  const tx_id = await approvedTowards(receiver.url);
  const pending = await tried(tx_id, 1);
  const target = `${SETTLEMENTS}/${tx_id}/callbacks/${pending.id}/resend`;
  expectRefusal(await partner.post(target), 409, "invalid_state");
  expectFault(await partner.post(target, { force: true }), "validation_failed", { pointer: "/force" });

  receiver.answer(acknowledge);
  await advancePast(pending.next_attempt_at ?? "");
  await callbackWhere(tx_id, ({ state }) => state === "delivered");
  read(resendCallbackOperation, await partner.post(target));
  await receiver.delivery(3);

  for (const id of ["cb_00000000000000000000000000", "nonsense", tx_id]) {
    expectRefusal(await partner.post(`${SETTLEMENTS}/${tx_id}/callbacks/${id}/resend`), 404, "callback_not_found");
  }
  const other = await quote();
  expectRefusal(await partner.post(`${SETTLEMENTS}/${other.tx_id}/callbacks/${pending.id}/resend`), 404, "callback_not_found");
  expect(await callbacksOf(other.tx_id)).toEqual([]);
});
