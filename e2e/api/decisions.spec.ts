import { expect, test } from "@playwright/test";
import { rejectSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { expectOperatorError, expectRefusal, read, readJson } from "../support/answers.ts";
import { operator, partner } from "../support/client.ts";
import { plain } from "../support/money.ts";
import { operatorClient } from "../support/patient.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import {
  approve,
  callbacksOf,
  find,
  freshReference,
  pendingQuote,
  QUIET_URL,
  quote,
  SETTLEMENTS,
  setRate,
} from "../support/settlements.ts";

/** Contract, part 6: approve and reject, who may, and what protects them. They answer in the partner-management surface's shapes. */

const decide = (txId: string, decision: "approve" | "reject", body?: unknown) =>
  operator.call("POST", `/admins/settlements/${txId}/${decision}`, body);
const REASON = "The merchant could not be verified.";

test("rejecting cancels with a reason, calls nobody, and is final", async () => {
  const { tx_id } = await pendingQuote({ callback_url: QUIET_URL });
  const rejected = read(rejectSettlementOperation, await decide(tx_id, "reject", { reason: REASON }));
  expect(rejected).toMatchObject({ status: "cancelled", approval_state: "rejected", rejection_reason: REASON });
  expect(rejected.cancelled_at).not.toBeNull();
  expect(rejected.approval_decided_at).not.toBeNull();
  expect(await find(tx_id)).toEqual(rejected);
  expect(await callbacksOf(tx_id)).toEqual([]);

  const confirmed = await partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, { external_tx_id: freshReference(), callback_url: QUIET_URL });
  expect(expectRefusal(confirmed, 409, "invalid_state").settlement_status).toBe("cancelled");
  const cancelled = await partner.post(`${SETTLEMENTS}/${tx_id}/cancel`);
  expect(readJson(cancelled)).toMatchObject({ status: "cancelled", approval_state: "rejected" });
  expectOperatorError(await decide(tx_id, "approve"), 409, "invalid_state");
  expectOperatorError(await decide(tx_id, "reject", { reason: REASON }), 409, "invalid_state");
});

test("a second approval, and a decision on what needs none, is 409", async () => {
  const { tx_id } = await pendingQuote();
  await approve(tx_id);
  expectOperatorError(await decide(tx_id, "approve"), 409, "invalid_state");
  expectOperatorError(await decide(tx_id, "reject", { reason: REASON }), 409, "invalid_state");
  const ordinary = await quote();
  expectOperatorError(await decide(ordinary.tx_id, "approve"), 409, "invalid_state");
  expectOperatorError(await decide(ordinary.tx_id, "reject", { reason: REASON }), 409, "invalid_state");
  const cancelled = await pendingQuote();
  await partner.post(`${SETTLEMENTS}/${cancelled.tx_id}/cancel`);
  expectOperatorError(await decide(cancelled.tx_id, "approve"), 409, "invalid_state");
});

test("two deciders at once: one wins, the other gets 409", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { tx_id } = await pendingQuote();
    const answers = await Promise.all([decide(tx_id, "approve"), decide(tx_id, "reject", { reason: REASON }), decide(tx_id, "approve")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await find(tx_id)).approval_state).toBe(winner === 1 ? "rejected" : "approved");
  }
});

test("approve, cancel and confirm at once leave one legal history", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { tx_id } = await pendingQuote();
    const [approved, cancelled] = await Promise.all([
      decide(tx_id, "approve"),
      partner.post(`${SETTLEMENTS}/${tx_id}/cancel`),
      partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, { external_tx_id: freshReference(), callback_url: QUIET_URL }),
    ]);
    const { status, approval_state } = await find(tx_id);
    if (cancelled.status === 200) expect(status).toBe("cancelled");
    expect(approval_state).toBe(approved.status === 200 ? "approved" : "pending");
  }
});

test("the drift guard: a rate that moved by more than ten basis points refuses, says the new one, and nothing changes", async () => {
  await setRate("PHP", "USDC", 0.0172);
  const pending = await pendingQuote({}, "PHP", "USDC");
  const seen = plain(pending.exchange_rate);
  await setRate("PHP", "USDC", 0.0172 * 1.002);
  const error = expectOperatorError(await decide(pending.tx_id, "approve", `{"expected_exchange_rate": ${seen}}`), 409, "rate_moved");
  // A number, so that it can be sent back as the expected one.
  expect(error.current_exchange_rate).toEqual(expect.any(Number));
  expect(Number(error.current_exchange_rate) / pending.exchange_rate).toBeCloseTo(1.002, 6);
  expect(await find(pending.tx_id)).toEqual(pending);
  // Five basis points are within the tolerance, in both directions.
  await setRate("PHP", "USDC", 0.0172 * 1.0005);
  const approved = await approve(pending.tx_id, { expected_exchange_rate: pending.exchange_rate });
  expect(approved.exchange_rate).toBeGreaterThan(pending.exchange_rate);
  await setRate("PHP", "USDC", 0.0172);
});

test("without a fresh rate nothing is approved: 503, and nothing changes", async () => {
  await setRate("PHP", "USDC", 0.0172);
  const pending = await pendingQuote({}, "PHP", "USDC");
  await setRate("PHP", "USDC", null);
  try {
    const answer = await decide(pending.tx_id, "approve");
    expectOperatorError(answer, 503, "rate_unavailable");
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(await find(pending.tx_id)).toEqual(pending);
    expect((await decide(pending.tx_id, "reject", { reason: REASON })).status).toBe(200);
  } finally {
    await setRate("PHP", "USDC", 0.0172);
  }
});

test("only an operator decides", async () => {
  const { tx_id } = await pendingQuote();
  const target = `/admins/settlements/${tx_id}/approve`;
  const unsigned = await exchange(BASE_URL, { method: "POST", target, headers: [] });
  expectOperatorError(unsigned, 401, "missing_api_key");
  expectOperatorError(await operatorClient(BASE_URL, { api_key: "key_test_nobody" }).call("POST", target), 401, "unknown_api_key");
  expectOperatorError(await operatorClient(BASE_URL, sandbox.partner).call("POST", target), 403, "forbidden");
  expectOperatorError(await operatorClient(BASE_URL, sandbox.second_partner).call("POST", target), 403, "forbidden");
  expect((await find(tx_id)).approval_state).toBe("pending");
});

test("a settlement that is not there is 404", async () => {
  for (const id of ["tx_00000000000000000000000000", "nonsense"]) {
    expectOperatorError(await decide(id, "approve"), 404, "settlement_not_found");
    expectOperatorError(await decide(id, "reject", { reason: REASON }), 404, "settlement_not_found");
  }
});

test("bad bodies are HTTPValidationError, and nothing changes", async () => {
  const { tx_id } = await pendingQuote();
  const bodies = [
    ["reject", {}, "reason"],
    ["reject", { reason: "short 7" }, "reason"],
    ["reject", { reason: REASON, note: "x" }, "note"],
    ["approve", { note: 5 }, "note"],
    ["approve", { expected_exchange_rate: "0.5" }, "expected_exchange_rate"],
    ["approve", { force: true }, "force"],
  ] as const;
  for (const [decision, body, field] of bodies) {
    const answer = await decide(tx_id, decision, body);
    const { detail } = readJson(answer, 422) as { detail: { loc: unknown[]; msg: string; type: string }[] };
    expect(detail).toContainEqual({ loc: ["body", field], msg: expect.any(String), type: expect.any(String) });
  }
  expect((await find(tx_id)).approval_state).toBe("pending");
  expect(read(rejectSettlementOperation, await decide(tx_id, "reject", { reason: "12345678" })).rejection_reason).toBe("12345678");
});
