import { expect, test } from "@playwright/test";
import { acknowledge, answerStatus, hang, openReceiver, type Receiver, type Script } from "#sandbox/client/receiver.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import { rival } from "../support/client.ts";
import { advancePast } from "../support/clock.ts";
import { sandbox } from "../support/running-sandbox.ts";
import {
  approve,
  approvedTowards,
  callbacksOf,
  confirm,
  freshReference,
  onlyCallback,
  pendingQuote,
  QUIET_URL,
  quote,
  tried,
} from "../support/settlements.ts";

/** Contract, part 4: receivers that answer strangely, redirect, hang or do not exist. */

const opened: Receiver[] = [];
async function receiverThat(script: Script, path?: string): Promise<Receiver> {
  const receiver = await openReceiver(script, path);
  opened.push(receiver);
  return receiver;
}
test.afterEach(async () => {
  for (const receiver of opened.splice(0)) await receiver.close();
});

for (const status of [200, 201, 202, 204, 299]) {
  test(`${status} is an acknowledgement`, async () => {
    const receiver = await receiverThat(answerStatus(status));
    const tx_id = await approvedTowards(receiver.url);
    expect(await tried(tx_id, 1)).toMatchObject({ state: "delivered", attempts: [{ response_status: status, error: null }] });
  });
}

for (const status of [304, 400, 401, 404, 410, 429, 500, 503]) {
  test(`${status} is none: the callback stays pending, due in a minute`, async () => {
    const receiver = await receiverThat(answerStatus(status));
    const callback = await tried(await approvedTowards(receiver.url), 1);
    expect(callback).toMatchObject({ state: "pending", delivered_at: null, attempts: [{ number: 1, response_status: status }] });
    const [attempt] = callback.attempts;
    const dueAfter = new Date(callback.next_attempt_at ?? 0).getTime() - new Date(attempt?.sent_at ?? 0).getTime();
    expect(Math.abs(dueAfter - (attempt?.duration_ms ?? 0) - 60_000)).toBeLessThan(2_000);
  });
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect (${status}) is not followed and counts as a failure`, async () => {
    const elsewhere = await receiverThat(acknowledge);
    const receiver = await receiverThat(answerStatus(status, { location: elsewhere.url }));
    expect(await tried(await approvedTowards(receiver.url), 1)).toMatchObject({
      state: "pending",
      attempts: [{ response_status: status }],
    });
    expect(elsewhere.deliveries).toHaveLength(0);
  });
}

for (const [what, bytes] of [
  ["a 204 with bytes after it", 'HTTP/1.1 204 No Content\r\n\r\n{"received": true}'],
  ["a 200 that breaks off after its headers", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{}"],
] as const) {
  test(`${what} is an acknowledgement`, async () => {
    const receiver = await receiverThat((response) => response.socket?.end(bytes));
    expect(await tried(await approvedTowards(receiver.url), 1)).toMatchObject({ state: "delivered", attempts: [{ error: null }] });
  });
}

test("an answer of a megabyte still acknowledges", async () => {
  const receiver = await receiverThat((response) => response.writeHead(200).end("x".repeat(1_000_000)));
  expect((await tried(await approvedTowards(receiver.url), 1)).state).toBe("delivered");
});

test("a receiver that is not there, or hangs up, is tried again and described in words", async () => {
  const refused = await tried(await approvedTowards(QUIET_URL), 1);
  expect(refused).toMatchObject({ state: "pending", attempts: [{ response_status: null, error: expect.stringMatching(/.+/) }] });
  const receiver = await receiverThat((response) => response.destroy());
  const tx_id = await approvedTowards(receiver.url);
  const dropped = await tried(tx_id, 1);
  expect(dropped).toMatchObject({ state: "pending", attempts: [{ response_status: null, error: expect.stringMatching(/.+/) }] });
  receiver.answer(acknowledge);
  await advancePast(dropped.next_attempt_at ?? "");
  expect(await tried(tx_id, 2)).toMatchObject({ state: "delivered", attempts: [{ number: 1 }, { number: 2, error: null }] });
});

test("an attempt is given up after 30 seconds, and no other callback waits for it", async () => {
  const hanging = await receiverThat(hang);
  const good = await receiverThat(acknowledge);
  const stuck: string[] = [];
  for (let index = 0; index < 12; index += 1) stuck.push(await approvedTowards(hanging.url));

  // The same partner's other receiver, and another partner's: both are called while the first hangs.
  const own = await approvedTowards(good.url);
  expect((await tried(own, 1, 10_000)).state).toBe("delivered");
  const foreign = await quote({}, rival);
  await confirm(foreign.tx_id, { callback_url: good.url }, rival);
  await good.delivery(2, 20_000);
  expect((await onlyCallback(stuck[0] ?? "")).state).toBe("pending");

  for (const tx_id of stuck.slice(0, 3)) {
    const [attempt] = (await tried(tx_id, 1, 60_000)).attempts;
    expect(attempt).toMatchObject({ number: 1, response_status: null, error: expect.stringMatching(/.+/) });
    expect(attempt?.duration_ms).toBeGreaterThanOrEqual(29_000);
    expect(attempt?.duration_ms).toBeLessThan(33_000);
  }
});

test("the approval goes to the URL of the creation, the end to the URL of the confirmation", async () => {
  const [first, second] = [
    await receiverThat(acknowledge, "/approvals"),
    await receiverThat(acknowledge, "/results?x=%7e&y=a+b%20c&&z=o'b"),
  ];
  const { tx_id } = await pendingQuote({ callback_url: first.url }, "JPY", "USDT");
  await approve(tx_id);
  expect(verifyCallback(await first.delivery(1), sandbox.partner)).toMatchObject({ event: "settlement.approved" });
  await confirm(tx_id, { callback_url: second.url });
  const terminal = await second.delivery(1, 45_000);
  expect(terminal.target).toBe("/results?x=%7e&y=a+b%20c&&z=o'b");
  expect(verifyCallback(terminal, sandbox.partner)).toMatchObject({ tx_id, status: "executed" });
  expect(first.deliveries).toHaveLength(1);
  expect((await callbacksOf(tx_id)).map(({ event }) => event).sort()).toEqual(["settlement.approved", "settlement.executed"]);
});

test("a creation URL serves the end as well when the confirmation gives none", async () => {
  const receiver = await receiverThat(acknowledge);
  const { tx_id } = await quote({ callback_url: receiver.url });
  await confirm(tx_id, { external_tx_id: freshReference(), callback_url: undefined });
  expect(verifyCallback(await receiver.delivery(1, 45_000), sandbox.partner)).toMatchObject({ tx_id, status: "executed" });
});
