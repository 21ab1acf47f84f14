import { expect, test } from "@playwright/test";
import { confirmOneSettlementOperation, confirmSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { expectFault, expectRefusal, read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { advancePast } from "../support/clock.ts";
import { literalOf } from "../support/money.ts";
import { confirm, ended, find, freshReference, pendingQuote, QUIET_URL, quote, SETTLEMENTS } from "../support/settlements.ts";

/** Contract, parts 2 and 9 "Confirm". */

const OTHER_URL = `${QUIET_URL}/other`;
const UNKNOWN_ID = "tx_00000000000000000000000000";
const under = (txId: string) => `${SETTLEMENTS}/${txId}/confirm`;

/** An external_tx_id that another settlement has. */
async function takenReference(): Promise<string> {
  const external_tx_id = freshReference();
  await confirm((await quote()).tx_id, { external_tx_id });
  return external_tx_id;
}

test("confirm starts execution, under both paths", async () => {
  for (const path of ["body", "both", "path"]) {
    const { tx_id } = await quote();
    const external_tx_id = freshReference();
    const named = path === "path" ? {} : { tx_id };
    const target = path === "body" ? `${SETTLEMENTS}/confirm` : under(tx_id);
    const answer = await partner.post(target, { ...named, external_tx_id, callback_url: QUIET_URL });
    const settlement = read(confirmSettlementOperation, answer);
    expect(settlement).toMatchObject({ tx_id, status: "processing", external_tx_id, callback_url: QUIET_URL, approval_state: null });
    expect(settlement.confirmed_at).not.toBeNull();
    expect(await find(tx_id)).toMatchObject({ external_tx_id, confirmed_at: settlement.confirmed_at });
  }
});

test("the amounts at confirmation are the amounts quoted", async () => {
  const quoted = await quote();
  const { destination_amount, platform_fee, exchange_rate, source_amount } = await confirm(quoted.tx_id);
  expect({ destination_amount, platform_fee, exchange_rate, source_amount }).toEqual({
    destination_amount: quoted.destination_amount,
    platform_fee: quoted.platform_fee,
    exchange_rate: quoted.exchange_rate,
    source_amount: quoted.source_amount,
  });
});

test("callback_url is required, unless one was given at creation, which then serves", async () => {
  const without = await quote();
  const answer = await partner.post(under(without.tx_id), { external_tx_id: freshReference() });
  expectFault(answer, "validation_failed", { pointer: "/callback_url" });
  expect((await find(without.tx_id)).status).toBe("quoted");

  const { tx_id } = await quote({ callback_url: QUIET_URL });
  const external_tx_id = freshReference();
  expect(read(confirmOneSettlementOperation, await partner.post(under(tx_id), { external_tx_id })).callback_url).toBe(QUIET_URL);
  // Only reference and URL identify a repeat: stating the same URL explicitly is the same request.
  expect((await partner.post(under(tx_id), { external_tx_id, callback_url: QUIET_URL })).status).toBe(200);
});

test("a callback_url at confirmation takes the place of the one at creation", async () => {
  const { tx_id } = await quote({ callback_url: QUIET_URL });
  expect((await confirm(tx_id, { callback_url: OTHER_URL })).callback_url).toBe(OTHER_URL);
});

test("external_tx_id is required, 1 to 128 characters", async () => {
  const { tx_id } = await quote();
  for (const external_tx_id of [undefined, null, "", "x".repeat(129), 7]) {
    const answer = await partner.post(under(tx_id), { external_tx_id, callback_url: QUIET_URL });
    expectFault(answer, "validation_failed", { pointer: "/external_tx_id" });
  }
  expect((await confirm(tx_id, { external_tx_id: `${freshReference()}-`.padEnd(128, "x") })).external_tx_id).toHaveLength(128);
});

test("a tx_id in the body unlike the path's is validation_failed; none at all too", async () => {
  const { tx_id } = await quote();
  const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
  expectFault(await partner.post(under(tx_id), { ...fields, tx_id: UNKNOWN_ID }), "validation_failed", { pointer: "/tx_id" });
  expectFault(await partner.post(`${SETTLEMENTS}/confirm`, fields), "validation_failed", { pointer: "/tx_id" });
  expectRefusal(await partner.post(under(tx_id), ""), 400, "malformed_json");
});

test("422 comes before 404, 404 for what cannot be an id and for what is not", async () => {
  expectRefusal(await partner.post(under(UNKNOWN_ID), { callback_url: QUIET_URL }), 422, "validation_failed");
  const fields = { external_tx_id: await takenReference(), callback_url: QUIET_URL };
  for (const id of [UNKNOWN_ID, "nonsense", "tx_", "cb_00000000000000000000000000", "tx_00000000000000000000000000x", "a%00b"]) {
    expectRefusal(await partner.post(under(id), fields), 404, "settlement_not_found");
  }
  expectRefusal(await partner.post(`${SETTLEMENTS}/confirm`, { ...fields, tx_id: "nonsense" }), 404, "settlement_not_found");
});

test("a repeat answers 200 with the settlement unchanged, whatever else it contains", async () => {
  const { tx_id } = await quote();
  const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
  const first = await confirm(tx_id, fields);
  const again = await confirm(tx_id, { ...fields, expected_destination_amount: 1 });
  expect(again.confirmed_at).toBe(first.confirmed_at);
  const executed = await ended(tx_id);
  expect(executed.status).toBe("executed");
  expect(await confirm(tx_id, fields)).toEqual(executed);
});

test("a repeat with another reference is external_tx_id_conflict, with another URL invalid_state", async () => {
  const { tx_id } = await quote();
  const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
  await confirm(tx_id, fields);
  const otherReference = await partner.post(under(tx_id), { external_tx_id: freshReference(), callback_url: OTHER_URL });
  expectRefusal(otherReference, 409, "external_tx_id_conflict");
  const refusal = expectRefusal(await partner.post(under(tx_id), { ...fields, callback_url: OTHER_URL }), 409, "invalid_state");
  expect(["processing", "executed"]).toContain(refusal.settlement_status);
  await ended(tx_id);
  expectRefusal(await partner.post(under(tx_id), { ...fields, callback_url: OTHER_URL }), 409, "invalid_state");
});

test("not quoted comes before pending, expiry, amount and reference", async () => {
  const { tx_id, expires_at } = await pendingQuote();
  await partner.post(`${SETTLEMENTS}/${tx_id}/cancel`);
  const external_tx_id = await takenReference();
  await advancePast(expires_at);
  const answer = await partner.post(under(tx_id), { external_tx_id, callback_url: QUIET_URL, expected_destination_amount: 1 });
  expect(expectRefusal(answer, 409, "invalid_state").settlement_status).toBe("cancelled");
});

test("pending comes before expiry, amount and reference, before and after the quote has run out", async () => {
  const { tx_id, expires_at } = await pendingQuote();
  const fields = { external_tx_id: await takenReference(), callback_url: QUIET_URL, expected_destination_amount: 1 };
  expectRefusal(await partner.post(under(tx_id), fields), 409, "approval_pending");
  await advancePast(expires_at);
  expectRefusal(await partner.post(under(tx_id), fields), 409, "approval_pending");
});

test("a lapsed quote is 410 with both instants, before amount and reference, and stays quoted", async () => {
  const { tx_id, expires_at } = await quote();
  const external_tx_id = await takenReference();
  await advancePast(expires_at);
  const answer = await partner.post(under(tx_id), { external_tx_id, callback_url: QUIET_URL, expected_destination_amount: 1 });
  const refusal = expectRefusal(answer, 410, "quote_expired");
  expect(refusal.expired_at).toBe(expires_at);
  expect(new Date(String(refusal.server_time)).getTime()).toBeGreaterThanOrEqual(new Date(expires_at).getTime());
  expect(await find(tx_id)).toMatchObject({ status: "quoted", external_tx_id: null, confirmed_at: null });
});

test("another expected amount is quote_changed, before the reference; the very amount is accepted", async () => {
  const { tx_id } = await quote();
  const quoted = literalOf((await partner.get(`${SETTLEMENTS}/${tx_id}`)).text, "destination_amount");
  const fields = { external_tx_id: await takenReference(), callback_url: QUIET_URL };
  for (const other of [`${quoted}${quoted.includes(".") ? "" : "."}0000000000000000000001`, "1", "0", "-5"]) {
    const body = JSON.stringify({ ...fields, expected_destination_amount: "@@" }).replace('"@@"', other);
    const answer = await partner.post(under(tx_id), body);
    if (other === "-5" && answer.status === 422) continue;
    expectRefusal(answer, 409, "quote_changed");
  }
  expectFault(await partner.post(under(tx_id), { ...fields, expected_destination_amount: quoted }), "validation_failed", {
    pointer: "/expected_destination_amount",
  });
  const body = JSON.stringify({ external_tx_id: freshReference(), callback_url: QUIET_URL, expected_destination_amount: "@@" });
  const answer = await partner.post(under(tx_id), body.replace('"@@"', quoted));
  expect(read(confirmOneSettlementOperation, answer).status).toBe("processing");
});

test("a reference that another settlement has is external_tx_id_conflict, and nothing moves", async () => {
  const { tx_id } = await quote();
  const answer = await partner.post(under(tx_id), { external_tx_id: await takenReference(), callback_url: QUIET_URL });
  expectRefusal(answer, 409, "external_tx_id_conflict");
  expect(await find(tx_id)).toMatchObject({ status: "quoted", external_tx_id: null });
});

test("twenty confirms at once: one settlement, one execution, one answer", async () => {
  const { tx_id } = await quote();
  const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
  const answers = await Promise.all(Array.from({ length: 20 }, () => partner.post(under(tx_id), fields)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => read(confirmOneSettlementOperation, answer).confirmed_at)).size).toBe(1);
});

test("one reference for two settlements at once: exactly one gets it", async () => {
  const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
  const quotes = await Promise.all([quote(), quote(), quote()]);
  const answers = await Promise.all(quotes.map(({ tx_id }) => partner.post(under(tx_id), fields)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});
