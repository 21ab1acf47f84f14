import { expect, test } from "@playwright/test";
import { cancelSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { expectFault, expectRefusal, read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { advancePast } from "../support/clock.ts";
import { callbacksOf, confirm, find, freshReference, pendingQuote, QUIET_URL, quote, SETTLEMENTS } from "../support/settlements.ts";

/** Contract, part 2: cancel. */

const under = (txId: string) => `${SETTLEMENTS}/${txId}/cancel`;

test("cancel ends a quote, under both paths, with an empty body or an empty object", async () => {
  const requests = [
    (tx_id: string) => partner.post(`${SETTLEMENTS}/cancel`, { tx_id }),
    (tx_id: string) => partner.post(under(tx_id)),
    (tx_id: string) => partner.post(under(tx_id), {}),
  ];
  for (const request of requests) {
    const { tx_id } = await quote({ callback_url: QUIET_URL });
    const settlement = read(cancelSettlementOperation, await request(tx_id));
    expect(settlement).toMatchObject({ tx_id, status: "cancelled", approval_state: null, confirmed_at: null });
    expect(settlement.cancelled_at).not.toBeNull();
    expect(await find(tx_id)).toEqual(settlement);
    expect(await callbacksOf(tx_id)).toEqual([]);
  }
});

test("a repeat answers 200 with the settlement unchanged", async () => {
  const { tx_id } = await quote();
  const first = read(cancelSettlementOperation, await partner.post(under(tx_id)));
  expect(read(cancelSettlementOperation, await partner.post(under(tx_id)))).toEqual(first);
});

test("a cancelled quote cannot be confirmed", async () => {
  const { tx_id } = await quote();
  await partner.post(under(tx_id));
  const answer = await partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, { external_tx_id: freshReference(), callback_url: QUIET_URL });
  expect(expectRefusal(answer, 409, "invalid_state").settlement_status).toBe("cancelled");
});

test("what was confirmed cannot be cancelled", async () => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  const refusal = expectRefusal(await partner.post(under(tx_id)), 409, "invalid_state");
  expect(["processing", "executed"]).toContain(refusal.settlement_status);
});

test("a pending settlement can be cancelled and keeps its approval_state", async () => {
  const { tx_id } = await pendingQuote();
  const settlement = read(cancelSettlementOperation, await partner.post(under(tx_id)));
  expect(settlement).toMatchObject({ status: "cancelled", approval_state: "pending", approval_decided_at: null, rejection_reason: null });
});

test("a lapsed quote can still be cancelled", async () => {
  const { tx_id, expires_at } = await quote();
  await advancePast(expires_at);
  expect(read(cancelSettlementOperation, await partner.post(under(tx_id))).status).toBe("cancelled");
});

test("bodies are strict", async () => {
  const { tx_id } = await quote();
  expectFault(await partner.post(`${SETTLEMENTS}/cancel`, {}), "validation_failed", { pointer: "/tx_id" });
  expectFault(await partner.post(`${SETTLEMENTS}/cancel`, { tx_id, reason: "no" }), "validation_failed", { pointer: "/reason" });
  expectFault(await partner.post(under(tx_id), { reason: "no" }), "validation_failed", { pointer: "/reason" });
  expectRefusal(await partner.post(`${SETTLEMENTS}/cancel`), 400, "malformed_json");
  expectRefusal(await partner.post(under(tx_id), "nonsense"), 400, "malformed_json");
  expect((await find(tx_id)).status).toBe("quoted");
});

test("an id that is not there is 404", async () => {
  for (const id of ["tx_00000000000000000000000000", "nonsense"]) {
    expectRefusal(await partner.post(under(id)), 404, "settlement_not_found");
    expectRefusal(await partner.post(`${SETTLEMENTS}/cancel`, { tx_id: id }), 404, "settlement_not_found");
  }
});

test("confirm and cancel at once: exactly one wins", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { tx_id } = await quote();
    const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
    const [confirmed, cancelled] = await Promise.all([partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, fields), partner.post(under(tx_id))]);
    expect([confirmed.status, cancelled.status].sort()).toEqual([200, 409]);
    const { status } = await find(tx_id);
    if (cancelled.status === 200) expect(status).toBe("cancelled");
    else expect(["processing", "executed"]).toContain(status);
  }
});
