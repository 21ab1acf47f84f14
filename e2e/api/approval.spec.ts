import { expect, test } from "@playwright/test";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import { expectRefusal } from "../support/answers.ts";
import { operator, partner } from "../support/client.ts";
import { advanceClock, advancePast, businessNow, DAY, HOUR } from "../support/clock.ts";
import { sandbox } from "../support/running-sandbox.ts";
import {
  approve,
  callbacksOf,
  confirm,
  ended,
  find,
  freshReference,
  onlyCallback,
  pendingQuote,
  QUIET_URL,
  SETTLEMENTS,
  setRate,
  until,
} from "../support/settlements.ts";

/** Specification, parts 3 and 6; contract, parts 2 and 6: above the maximum an operator decides. PHP's rates are this file's own. */

const pendingPhp = (changes = {}) => pendingQuote(changes, "PHP", "USDC");

test.beforeEach(() => setRate("PHP", "USDC", 0.0172));

test("approval re-prices at the current rate, refreshes the expiry to half an hour, and makes it confirmable", async () => {
  const pending = await pendingPhp();
  await setRate("PHP", "USDC", 0.0344);
  const approved = await approve(pending.tx_id, { note: "known merchant" });
  expect(approved).toMatchObject({
    status: "quoted",
    approval_state: "approved",
    source_amount: pending.source_amount,
    external_tx_id: null,
  });
  expect(approved.exchange_rate / pending.exchange_rate).toBeCloseTo(2, 6);
  expect(approved.destination_amount).toBeGreaterThan(pending.destination_amount * 1.9);
  expect(approved.platform_fee).toBe(pending.platform_fee);
  const decidedAt = new Date(approved.approval_decided_at ?? 0).getTime();
  expect(Math.abs(new Date(approved.expires_at).getTime() - decidedAt - 1_800_000)).toBeLessThan(1_000);
  expect(await find(pending.tx_id)).toEqual(approved);
  const confirmed = await confirm(pending.tx_id, { expected_destination_amount: approved.destination_amount });
  expect(confirmed).toMatchObject({ status: "processing", approval_state: "approved", destination_amount: approved.destination_amount });
  expect(await ended(pending.tx_id)).toMatchObject({ status: "executed", approval_state: "approved" });
});

test("the approval callback has exactly the specification's fields and both signatures", async () => {
  const receiver = await openReceiver();
  try {
    const { tx_id, source_amount, chain } = await pendingPhp({ callback_url: receiver.url });
    const approved = await approve(tx_id);
    const delivery = await receiver.delivery(1);
    expect(verifyCallback(delivery, sandbox.partner)).toEqual({
      tx_id,
      external_tx_id: null,
      event: "settlement.approved",
      status: "approved",
      chain,
      source_amount,
      destination_amount: approved.destination_amount,
      platform_fee: approved.platform_fee,
      expires_at: approved.expires_at,
    });
    expect((await onlyCallback(tx_id)).event).toBe("settlement.approved");
  } finally {
    await receiver.close();
  }
});

test("without a creation callback_url nobody is called", async () => {
  const { tx_id } = await pendingPhp();
  await approve(tx_id);
  expect(await callbacksOf(tx_id)).toEqual([]);
});

test("approval may come after the first expiry; an approved quote lapses in its turn", async () => {
  const { tx_id, expires_at } = await pendingPhp();
  await advancePast(expires_at);
  const approved = await approve(tx_id);
  expect(new Date(approved.expires_at).getTime()).toBeGreaterThan((await businessNow()).getTime());
  await advancePast(approved.expires_at);
  const answer = await partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, { external_tx_id: freshReference(), callback_url: QUIET_URL });
  expect(expectRefusal(answer, 410, "quote_expired").expired_at).toBe(approved.expires_at);
});

test("a pending settlement survives its expiry, and after seven days the system rejects it", async () => {
  const { tx_id } = await pendingPhp({ callback_url: QUIET_URL });
  await advanceClock(7 * DAY - HOUR);
  expect(await find(tx_id)).toMatchObject({ status: "quoted", approval_state: "pending" });
  await advanceClock(2 * HOUR);
  const rejected = await until(
    () => find(tx_id),
    ({ status }) => status === "cancelled",
  );
  expect(rejected).toMatchObject({ status: "cancelled", approval_state: "rejected" });
  expect(rejected.rejection_reason).toBeTruthy();
  expect(rejected.approval_decided_at).not.toBeNull();
  expect(await callbacksOf(tx_id)).toEqual([]);
  expect((await operator.call("POST", `/admins/settlements/${tx_id}/approve`)).status).toBe(409);
});
