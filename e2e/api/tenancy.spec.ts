import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import { expectRefusal, readJson } from "../support/answers.ts";
import { partner, rival } from "../support/client.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { confirm, find, freshReference, onlyCallback, QUIET_URL, quote, SETTLEMENTS } from "../support/settlements.ts";
import { draft, send } from "../support/signed.ts";

/** Contract, parts 5 and 7: one partner never sees, counts or touches another's data. */

test("another partner's settlement is as if it were not there, for every operation", async () => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  const callback = await onlyCallback(tx_id);
  const before = await find(tx_id);
  const fields = { external_tx_id: before.external_tx_id, callback_url: QUIET_URL };
  const nowhere = tx_id.replace(/.{4}$/, "0000");
  const asked = (id: string) =>
    Promise.all([
      rival.get(`${SETTLEMENTS}/${id}`),
      rival.get(`${SETTLEMENTS}/${id}/callbacks`),
      rival.post(`${SETTLEMENTS}/${id}/confirm`, fields),
      rival.post(`${SETTLEMENTS}/confirm`, { ...fields, tx_id: id }),
      rival.post(`${SETTLEMENTS}/${id}/cancel`),
      rival.post(`${SETTLEMENTS}/cancel`, { tx_id: id }),
      rival.post(`${SETTLEMENTS}/${id}/callbacks/${callback.id}/resend`),
    ]);
  const [foreign, missing] = [await asked(tx_id), await asked(nowhere)];
  for (const [index, answer] of foreign.entries()) {
    const refusal = expectRefusal(answer, 404, "settlement_not_found");
    // Word for word the same as for an id that nobody has.
    const { detail, title } = JSON.parse(missing[index]?.text ?? "{}");
    expect({ detail: refusal.detail, title: refusal.title }).toEqual({ detail, title });
  }
  expect(await find(tx_id)).toMatchObject({ tx_id, external_tx_id: before.external_tx_id });
});

test("a list shows one's own alone", async () => {
  const external_merchant_id = `merchant-${randomUUID()}`;
  const own = await quote({ external_merchant_id }, rival);
  await quote({ external_merchant_id });
  const { data } = readJson(await rival.get(`${SETTLEMENTS}?external_merchant_id=${external_merchant_id}`)) as {
    data: { tx_id: string }[];
  };
  expect(data.map(({ tx_id }) => tx_id)).toEqual([own.tx_id]);
});

test("another's cursor shows nothing of it", async () => {
  const external_merchant_id = `merchant-${randomUUID()}`;
  for (let index = 0; index < 2; index += 1) await quote({ external_merchant_id });
  const query = `external_merchant_id=${external_merchant_id}`;
  const { next_cursor } = readJson(await partner.get(`${SETTLEMENTS}?${query}&limit=1`));
  const answer = await rival.get(`${SETTLEMENTS}?${query}&cursor=${next_cursor}`);
  if (answer.status === 200) expect(readJson(answer).data).toEqual([]);
  else expectRefusal(answer, 422, "validation_failed");
});

test("two partners may use the same external_tx_id", async () => {
  const external_tx_id = freshReference();
  await confirm((await quote()).tx_id, { external_tx_id });
  expect((await confirm((await quote({}, rival)).tx_id, { external_tx_id }, rival)).external_tx_id).toBe(external_tx_id);
});

test("a partner's callbacks are signed with its own secrets alone", async () => {
  const receiver = await openReceiver();
  try {
    const { tx_id } = await quote({}, rival);
    await confirm(tx_id, { callback_url: receiver.url }, rival);
    const delivery = await receiver.delivery(1, 45_000);
    expect(verifyCallback(delivery, sandbox.second_partner)).toMatchObject({ tx_id, status: "executed" });
    const { callback_secret, api_secret } = sandbox.partner;
    expect(() => verifyCallback(delivery, { ...sandbox.second_partner, callback_secret })).toThrow();
    expect(() => verifyCallback(delivery, { ...sandbox.second_partner, api_secret })).toThrow();
  } finally {
    await receiver.close();
  }
});

test("a key signed with another partner's secret opens nothing", async () => {
  const mixed = { api_key: sandbox.partner.api_key, api_secret: sandbox.second_partner.api_secret };
  expectRefusal(await send(draft({ credentials: mixed })), 401, "signature_mismatch");
});
