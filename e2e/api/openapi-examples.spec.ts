import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import recorded from "#contract/openapi-examples.json" with { type: "json" };
import type { Answer } from "#sandbox/client/exchange.ts";
import { operatorClient } from "#sandbox/client/partner.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { operator, partner } from "../support/client.ts";
import { asPartner, withKey } from "../support/partner-surface.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { SETTLEMENTS, until } from "../support/settlements.ts";

/**
 * Sends the examples of the OpenAPI documents. With `RECORD_EXAMPLES=FILE` this run records them (`node scripts/openapi.ts --examples
 * FILE`), so that each example refers to the results of earlier ones.
 */

const { requests: ofSettlements, queries } = recorded.settlement;
const { requests: ofPartners, queries: partnerQueries } = recorded.partner;
const DESTINATIONS = "/api/v1/event-destinations";
const WITHDRAW = "/partners/transactions/withdraw-fiat";
const TOPUP = "/partners/transactions/topup-fiat";
const PATIENCE_MS = 60_000;

const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
/** What chooses its own reference can be sent once to one sandbox. */
const isRecording = process.env.RECORD_EXAMPLES !== undefined;
const fresh = (reference: string) => (isRecording ? reference : `${reference}-${randomUUID()}`);

function bodyOf(answer: Answer, status: number) {
  expect(answer.status, answer.text).toBe(status);
  return JSON.parse(answer.text);
}

/** Polled without recording: only the final call is the example. */
async function wait(path: string, isThere: (answer: Record<string, unknown>) => boolean): Promise<void> {
  const ask = async () => await (await fetch(BASE_URL + path, { headers: { apiKey: sandbox.partner.api_key } })).json();
  await until(ask, isThere, PATIENCE_MS);
}

test("the examples of settlements are quoted at once, confirmed, paid and called back", async () => {
  const receiver = await openReceiver();
  const to = { callback_url: receiver.url };
  const quote = bodyOf(await partner.post(SETTLEMENTS, ofSettlements.create_settlement), 201);
  expect(quote).toMatchObject({ ...ofSettlements.create_settlement, status: "quoted", approval_state: null });
  const preview = bodyOf(await partner.get(`/api/v1/rates/preview?${query(queries.preview_rate)}`), 200);
  expect(preview).toMatchObject({ exchange_rate: quote.exchange_rate, destination_amount: quote.destination_amount });

  const external_tx_id = fresh(ofSettlements.confirm_one_settlement.external_tx_id);
  const confirm = { external_tx_id, expected_destination_amount: quote.destination_amount, ...to };
  bodyOf(await partner.post(`${SETTLEMENTS}/${quote.tx_id}/confirm`, confirm), 200);
  await receiver.delivery(1, PATIENCE_MS);
  expect(bodyOf(await partner.get(`${SETTLEMENTS}/${quote.tx_id}`), 200)).toMatchObject({ status: "executed" });
  // The receiver's requests are recorded a moment later.
  const callbacks = `${SETTLEMENTS}/${quote.tx_id}/callbacks`;
  const newest = async () => bodyOf(await partner.get(callbacks), 200).data[0];
  const callback = await until(newest, ({ state }) => state === "delivered", PATIENCE_MS);
  expect(callback).toMatchObject({ state: "delivered", payload: { tx_id: quote.tx_id, external_tx_id: confirm.external_tx_id } });
  bodyOf(await partner.get(`${SETTLEMENTS}?${query(queries.list_settlements)}`), 200);
  const { receipt } = bodyOf(await partner.get(`${SETTLEMENTS}/${quote.tx_id}/proof`), 200);
  const asked = await fetch(`${BASE_URL}/proofs/status`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ proof: receipt }),
  });
  expect(await asked.json()).toMatchObject({ type: "receipt", tx_id: quote.tx_id, status: "paid", holds: true });
  bodyOf(await partner.post(`${SETTLEMENTS}/${quote.tx_id}/callbacks/${callback.id}/attempt`), 202);
  await receiver.delivery(2, PATIENCE_MS);
  bodyOf(await partner.post(`${SETTLEMENTS}/${quote.tx_id}/callbacks/${callback.id}/resend`), 202);
  await receiver.delivery(3, PATIENCE_MS);
  const own = "/api/v1/callbacks";
  const one = async () => bodyOf(await partner.get(`${own}/${callback.id}`), 200);
  await until(one, ({ state }) => state === "delivered", PATIENCE_MS);
  expect(bodyOf(await partner.get(`${own}?object_id=${quote.tx_id}`), 200).data).toEqual([await one()]);
  bodyOf(await partner.post(`${own}/${callback.id}/attempt`), 202);
  await receiver.delivery(4, PATIENCE_MS);
  bodyOf(await partner.post(`${own}/${callback.id}/resend`), 202);
  await receiver.delivery(5, PATIENCE_MS);

  const another = bodyOf(await partner.post(SETTLEMENTS, { ...ofSettlements.create_settlement, ...to }), 201);
  const named = { ...ofSettlements.confirm_settlement, tx_id: another.tx_id, external_tx_id: fresh("order-1002"), ...to };
  bodyOf(await partner.post(`${SETTLEMENTS}/confirm`, named), 200);
  for (const [path, body] of [
    ["cancel", (tx_id: string) => ({ tx_id })],
    [null, () => ofSettlements.cancel_one_settlement],
  ] as const) {
    const { tx_id } = bodyOf(await partner.post(SETTLEMENTS, ofSettlements.create_settlement), 201);
    const answer = await partner.post(path === null ? `${SETTLEMENTS}/${tx_id}/cancel` : `${SETTLEMENTS}/${path}`, body(tx_id));
    expect(bodyOf(answer, 200)).toMatchObject({ tx_id, status: "cancelled" });
  }
  await receiver.delivery(6, PATIENCE_MS);
  await receiver.close();
});

test("the examples of batches are estimated, created, confirmed, requoted and cancelled, all or none", async () => {
  const receiver = await openReceiver();
  const path = "/api/v1/settlement-batches";
  const batch = (reference: string) => ({
    external_batch_id: fresh(reference),
    items: ofSettlements.create_batch.items.map((item, place) => ({ ...item, external_tx_id: fresh(`${reference}-${place + 1}`) })),
    callback_url: receiver.url,
  });
  expect(bodyOf(await partner.post(`${path}/estimate`, ofSettlements.estimate_batch), 200).totals).toHaveLength(1);
  const asked = batch("payroll-2026-11");
  const made = bodyOf(await partner.post(path, asked), 201);
  expect(bodyOf(await partner.post(path, asked), 200)).toMatchObject({ batch_id: made.batch_id });
  const [total] = made.totals;
  const expected_total = { [total.destination_currency]: total.destination_amount };
  bodyOf(await partner.post(`${path}/${made.batch_id}/confirm`, { expected_total }), 200);
  await receiver.delivery(1, PATIENCE_MS);
  expect(bodyOf(await partner.get(`${path}/${made.batch_id}`), 200)).toMatchObject({ status: "completed", item_count: asked.items.length });
  expect(bodyOf(await partner.get(`${path}?limit=2`), 200).data[0]).toMatchObject({ batch_id: made.batch_id });
  const abandoned = bodyOf(await partner.post(path, batch("payroll-2026-12")), 201);
  expect(bodyOf(await partner.post(`${path}/${abandoned.batch_id}/requote`, {}), 200)).toMatchObject({ status: "quoted" });
  expect(bodyOf(await partner.post(`${path}/${abandoned.batch_id}/cancel`, {}), 200)).toMatchObject({ status: "cancelled" });
  await receiver.close();
});

test("the examples that need nothing else are the clock, the public keys, an echo and a page of events", async () => {
  expect(bodyOf(await partner.get("/time"), 200).epoch_seconds).toBeGreaterThan(1_700_000_000);
  expect(bodyOf(await partner.get("/.well-known/jwks.json"), 200).keys.length).toBeGreaterThan(0);
  expect(bodyOf(await partner.post("/api/v1/echo", { hello: "world" }), 200)).toMatchObject({ method: "POST" });
  expect(bodyOf(await partner.get("/api/v1/events?limit=2"), 200).data).toHaveLength(2);
});

test("the examples of event destinations get events, a test and a replay", async () => {
  const receiver = await openReceiver();
  const made = bodyOf(await partner.post(DESTINATIONS, { ...ofSettlements.create_event_destination, url: receiver.url }), 201);
  const one = `${DESTINATIONS}/${made.id}`;
  const { tx_id } = bodyOf(await partner.post(SETTLEMENTS, ofSettlements.create_settlement), 201);
  const [event] = [await receiver.delivery(1, PATIENCE_MS)].map(({ body }) => JSON.parse(String(body)));
  expect(event).toMatchObject({ type: "settlement.created" });
  expect(bodyOf(await partner.get(`/api/v1/events/${event.id}`), 200)).toEqual(event);
  await until(
    async () => bodyOf(await partner.get(one), 200),
    ({ last_delivered_at }) => last_delivered_at !== null,
    PATIENCE_MS,
  );
  bodyOf(await partner.post(`${one}/test`, ofSettlements.test_event_destination), 202);
  await until(
    async () => bodyOf(await partner.get(one), 200).last_test,
    ({ delivered }) => delivered === true,
    PATIENCE_MS,
  );
  bodyOf(await partner.post(`${one}/replay`, ofSettlements.replay_event_destination), 202);
  expect(bodyOf(await partner.call("PATCH", one, ofSettlements.change_event_destination), 200)).toMatchObject({ status: "paused" });
  expect(bodyOf(await partner.get(DESTINATIONS), 200).data).toContainEqual(expect.objectContaining({ id: made.id }));
  expect((await partner.call("DELETE", one)).status).toBe(204);
  bodyOf(await partner.post(`${SETTLEMENTS}/${tx_id}/cancel`, {}), 200);
  await receiver.close();
});

test("the examples of decisions approve one settlement above the maximum, and reject another", async () => {
  const receiver = await openReceiver();
  const pairs: { source_currency: string; destination_currency: string; maximum_source_amount: number }[] = bodyOf(
    await partner.get("/api/v1/pairs"),
    200,
  ).data;
  const { source_currency, destination_currency } = ofSettlements.create_settlement;
  const pair = pairs.find((each) => each.source_currency === source_currency && each.destination_currency === destination_currency);
  const above = { ...ofSettlements.create_settlement, source_amount: Number(pair?.maximum_source_amount) + 1, callback_url: receiver.url };
  const pending = bodyOf(await partner.post(SETTLEMENTS, above), 201);
  expect(pending.approval_state).toBe("pending");
  const decide = (txId: string, how: string, body: object) => operator.call("POST", `/admins/settlements/${txId}/${how}`, body);
  expect(bodyOf(await decide(pending.tx_id, "approve", ofPartners.approve_settlement), 200).approval_state).toBe("approved");
  await receiver.delivery(1, PATIENCE_MS);
  const other = bodyOf(await partner.post(SETTLEMENTS, above), 201);
  expect(bodyOf(await decide(other.tx_id, "reject", ofPartners.reject_settlement), 200).status).toBe("cancelled");
  await receiver.close();
});

test("the examples of members and of fiat out and in make one member, and end well", async () => {
  const receiver = await openReceiver();
  const to = { callback_url: receiver.url };
  bodyOf(await asPartner.call("GET", "/partners/current"), 200);
  const user = fresh(ofPartners.create_member.external_user_id);
  const phone = isRecording ? ofPartners.create_member.phone : `+2547${String(Date.now()).slice(-8)}`;
  const member = { ...ofPartners.create_member, external_user_id: user, phone };
  bodyOf(await asPartner.call("POST", "/partners/members", member), 201);
  bodyOf(await asPartner.call("POST", "/partners/members", member), 200);
  await wait(`/partners/members/${user}`, ({ safe_status }) => safe_status === "deployed");
  expect(bodyOf(await asPartner.call("GET", `/partners/members/${user}`), 200)).toMatchObject({ external_user_id: user });
  bodyOf(await asPartner.call("GET", `/partners/members/${user}/safe`), 200);
  const renamed = { ...ofPartners.update_member, phone };
  expect(bodyOf(await asPartner.call("PUT", `/partners/members/${user}`, renamed), 200)).toMatchObject(renamed);
  bodyOf(await asPartner.call("GET", `/partners/members?${query(partnerQueries.get_members)}`), 200);
  bodyOf(await asPartner.call("GET", `${WITHDRAW}/pool`), 200);

  for (const [path, asked] of [
    [WITHDRAW, partnerQueries.withdraw_fiat_preview],
    [TOPUP, partnerQueries.topup_fiat_preview],
  ] as const)
    expect(bodyOf(await asPartner.call("GET", `${path}/preview?${query(asked)}`), 200)).toMatchObject({ currency: asked.currency });
  const orders = [
    [TOPUP, TOPUP, { ...ofPartners.topup_fiat, external_user_id: user, external_id: fresh(ofPartners.topup_fiat.external_id) }],
    [WITHDRAW, WITHDRAW, { ...ofPartners.withdraw_fiat, external_id: fresh(ofPartners.withdraw_fiat.external_id) }],
    [
      `${WITHDRAW}/member`,
      WITHDRAW,
      {
        ...ofPartners.withdraw_fiat_for_registered_member,
        external_user_id: user,
        external_id: fresh(ofPartners.withdraw_fiat_for_registered_member.external_id),
      },
    ],
  ] as const;
  for (const [place, [path, status, body]] of orders.entries()) {
    const order = bodyOf(await asPartner.call("POST", path, { ...body, ...to }), 201);
    await receiver.delivery(place + 1, PATIENCE_MS);
    expect(bodyOf(await asPartner.call("GET", `${status}/${order.id}`), 200)).toMatchObject({ id: order.id, status: "completed" });
    bodyOf(await asPartner.call("POST", path, { ...body, ...to }), 200);
  }
  bodyOf(await asPartner.call("GET", `/partners/transactions?${query(partnerQueries.get_all_transactions)}`), 200);
  bodyOf(await asPartner.call("GET", "/exchange-rates"), 200);
  bodyOf(await asPartner.call("GET", `/exchange-rates/convert?${query(partnerQueries.convert_to_currency)}`), 200);
  await receiver.close();
});

test("the examples of the operator make a partner with a key, and rotate what it was given", async () => {
  const made = bodyOf(
    await operator.call("POST", "/partners", { ...ofPartners.create_partner, slug: fresh(ofPartners.create_partner.slug) }),
    201,
  );
  expect(bodyOf(await operator.call("PUT", `/partners/${made.id}/charge-fee`, ofPartners.update_charge_fee), 200)).toMatchObject({
    id: made.id,
  });
  bodyOf(await operator.call("PUT", `/partners/${made.id}/status`, ofPartners.update_partner_status), 200);
  const key = bodyOf(await operator.call("POST", "/partners/api-keys", { ...ofPartners.create_api_key, partner_id: made.id }), 201);
  const own = withKey(key.api_key);
  expect(bodyOf(await own.call("GET", "/partners/api-keys"), 200)).toMatchObject([{ id: key.id }]);
  // Not the sandbox's partner's: the other stories know that one's.
  bodyOf(await own.call("POST", `/partners/${made.id}/callback-secret/rotate`, ofPartners.rotate_callback_secret), 201);
  bodyOf(await own.call("POST", `/partners/api-keys/${key.id}/rotate`, ofPartners.rotate_api_key), 201);
  // Judging and hashing a password may take longer than a request may on a busy machine: 503, after which that person may exist or not.
  const once = operatorClient(BASE_URL, sandbox.operator);
  const person = () => ({ ...ofPartners.create_admin, username: `${fresh("viewer")}@operator.example` });
  const admin = await until(
    () => once.call("POST", "/admins", person()),
    ({ status }) => status !== 503,
  );
  expect(bodyOf(admin, 201)).toMatchObject({ username: expect.stringMatching(/^viewer.*@operator\.example$/) });
});
