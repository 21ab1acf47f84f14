import { expect, test } from "vitest";
import recorded from "./openapi-examples.json" with { type: "json" };

/** The examples are of one run: what one answers is what the one before it made. */

const { settlement, partner } = recorded;

test("the settlement that is created is the one that is confirmed, read, called back and proven, at the amount of its quote", () => {
  const { requests, answers, webhooks, queries } = settlement;
  const created = answers.create_settlement["201"];
  expect(created).toMatchObject({ ...requests.create_settlement, status: "quoted", approval_state: null, external_tx_id: null });
  const { external_tx_id, expected_destination_amount } = requests.confirm_one_settlement;
  const same = { tx_id: created.tx_id, destination_amount: created.destination_amount };
  expect(answers.confirm_one_settlement["200"]).toMatchObject({ ...same, external_tx_id, status: "processing" });
  expect(expected_destination_amount).toBe(created.destination_amount);
  expect(answers.get_settlement["200"]).toMatchObject({ ...same, external_tx_id, status: "executed" });
  expect(answers.list_settlements["200"].data[0]).toMatchObject({ ...same, status: queries.list_settlements.status });
  expect(webhooks["settlement.executed"]).toMatchObject({ ...same, external_tx_id, tx_hash: answers.get_settlement["200"].tx_hash });
  const [callback] = answers.list_callbacks["200"].data;
  expect(callback?.payload).toEqual(webhooks["settlement.executed"]);
  for (const answer of [answers.attempt_callback["202"], answers.resend_callback["202"]]) expect(answer.id).toBe(callback?.id);
  expect(answers.prove_settlement["200"].tx_id).toBe(created.tx_id);
  const { source_currency, destination_currency, chain, source_amount } = requests.create_settlement;
  expect(queries.preview_rate).toEqual({ source_currency, destination_currency, chain, source_amount: String(source_amount) });
  expect(answers.preview_rate["200"]).toMatchObject({
    destination_amount: created.destination_amount,
    exchange_rate: created.exchange_rate,
  });
  expect(answers.cancel_settlement["200"].tx_id).toBe(requests.cancel_settlement.tx_id);
  expect(answers.confirm_settlement["200"]).toMatchObject(requests.confirm_settlement);
});

test("the settlement that is approved is the one that the approval calls back about", () => {
  const { tx_id, destination_amount, expires_at } = partner.answers.approve_settlement["200"];
  expect(settlement.webhooks["settlement.approved"]).toMatchObject({ tx_id, destination_amount, expires_at });
});

test("the member that is made is the one that is read, and whom fiat goes to and comes from", () => {
  const { requests, answers } = partner;
  const { external_user_id } = requests.create_member;
  const { id } = answers.create_member["201"];
  for (const answer of [answers.create_member["200"], answers.get_member["200"]])
    expect(answer).toMatchObject({ ...requests.create_member, id });
  expect(answers.update_member["200"]).toMatchObject(requests.update_member);
  expect(answers.get_members["200"].map((each) => each.id)).toContain(id);
  expect(answers.get_member["200"].wallet_address).toBe(answers.get_member_safe_info["200"].address);
  expect([requests.topup_fiat.external_user_id, requests.withdraw_fiat_for_registered_member.external_user_id]).toEqual([
    external_user_id,
    external_user_id,
  ]);
});

test("the withdrawal and the top-up that are asked for are those that are read, repeated and called back", () => {
  const { requests, answers, webhooks } = partner;
  expect(answers.withdraw_fiat["201"]).toMatchObject(requests.withdraw_fiat);
  expect(answers.withdraw_fiat_for_registered_member["201"]).toMatchObject(requests.withdraw_fiat_for_registered_member);
  expect(answers.topup_fiat["201"]).toMatchObject(requests.topup_fiat);
  for (const [made, read, called] of [
    [answers.withdraw_fiat["201"], answers.withdraw_fiat_status["200"], webhooks["withdrawal.completed"]],
    [answers.topup_fiat["201"], answers.topup_fiat_status["200"], webhooks["topup.completed"]],
  ] as const) {
    expect([made.status, read.status, read.id, called.id]).toEqual(["pending", "completed", made.id, made.id]);
    const { event: _, ...body } = called;
    expect(body).toEqual(read);
  }
  expect([answers.withdraw_fiat["200"].id, answers.topup_fiat["200"].id]).toEqual([
    answers.withdraw_fiat["201"].id,
    answers.topup_fiat["201"].id,
  ]);
});

test("the partner that the operator makes is the one whose fee, status and key follow", () => {
  const { answers, requests } = partner;
  const made = answers.create_partner["201"];
  expect([answers.update_charge_fee["200"].id, answers.update_partner_status["200"].id]).toEqual([made.id, made.id]);
  const key = answers.create_api_key["201"];
  expect([key.partner_id, requests.create_api_key.partner_id]).toEqual([made.id, made.id]);
  expect(answers.list_api_keys["200"].map(({ id }) => id)).toEqual([key.id]);
  expect(answers.rotate_api_key["201"].rotated_from).toBe(key.id);
  const { username, name, role } = requests.create_admin;
  expect(answers.create_admin["201"]).toMatchObject({ username, name, role });
});
