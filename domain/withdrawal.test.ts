import { describe, expect, it } from "vitest";
import { IllegalFiatMove, type ProviderWord } from "./fiat.ts";
import { NOW, withdrawalAt } from "./fiat-fixture.ts";
import {
  advanceWithdrawal,
  allowsWithdrawal,
  applyWithdrawalUpdate,
  WITHDRAWAL_LIFECYCLE,
  WITHDRAWAL_STEP_FACTS,
  WITHDRAWAL_STEPS,
  type WithdrawalAction,
  type WithdrawalActionType,
  type WithdrawalRow,
  type WithdrawalStep,
  withdrawalStatus,
} from "./withdrawal.ts";

const ACTIONS: Record<WithdrawalActionType, WithdrawalAction> = {
  sweep: { type: "sweep", treasuryAddress: "0xtreasury" },
  give_up: { type: "give_up", reason: "It is no Safe." },
  cancel: { type: "cancel" },
  cancel_sweep: { type: "cancel_sweep" },
  take: { type: "take", txHash: "0xaa" },
  fail_sweep: { type: "fail_sweep", reason: "It was reverted." },
  pay: { type: "pay", reference: "P-1" },
  fail_payout: { type: "fail_payout", reference: "P-1", reason: "No such account." },
  return: { type: "return", txHash: "0xbb" },
  fail_return: { type: "fail_return", reason: "The token refuses it." },
};

/** Written from the contract, not derived from the table: every pair that is not here must be refused. */
const LEGAL: [WithdrawalStep, WithdrawalActionType, WithdrawalStep][] = [
  ["reserved", "sweep", "sweeping"],
  ["reserved", "give_up", "released"],
  ["reserved", "cancel", "released"],
  ["sweeping", "cancel_sweep", "released"],
  ["sweeping", "take", "paying_out"],
  ["sweeping", "fail_sweep", "released"],
  ["paying_out", "pay", "paid"],
  ["paying_out", "fail_payout", "returning"],
  ["returning", "return", "returned"],
  ["returning", "fail_return", "unreturned"],
];

describe("the life of a withdrawal", () => {
  for (const step of WITHDRAWAL_STEPS) {
    for (const action of Object.values(ACTIONS)) {
      const legal = LEGAL.find(([from, type]) => from === step && type === action.type);
      it(`${step} + ${action.type} ${legal ? `becomes ${legal[2]}` : "is refused"}`, () => {
        const before = withdrawalAt(step);
        const untouched = structuredClone(before);
        expect(allowsWithdrawal(step, action.type)).toBe(legal !== undefined);
        if (legal) expect(advanceWithdrawal(before, action, NOW)).toMatchObject({ step: legal[2], updatedAt: NOW });
        else expect(() => advanceWithdrawal(before, action, NOW)).toThrow(IllegalFiatMove);
        expect(before).toEqual(untouched);
      });
    }
  }

  it("has four statuses on the wire, and holds the pool until the provider has settled it", () => {
    expect(WITHDRAWAL_STEPS.map((step) => [step, withdrawalStatus({ step }), WITHDRAWAL_STEP_FACTS[step].holdsPool])).toEqual([
      ["reserved", "pending", true],
      ["sweeping", "processing", true],
      ["paying_out", "processing", true],
      ["returning", "processing", false],
      ["paid", "completed", false],
      ["released", "failed", false],
      ["returned", "failed", false],
      ["unreturned", "failed", false],
    ]);
  });

  it("calls back exactly where it ends, and never leaves an end", () => {
    const rows = Object.values(WITHDRAWAL_LIFECYCLE);
    const cancelled: WithdrawalRow[] = [WITHDRAWAL_LIFECYCLE.cancel, WITHDRAWAL_LIFECYCLE.cancel_sweep];
    const ends = WITHDRAWAL_STEPS.filter((step) => ["completed", "failed"].includes(withdrawalStatus({ step })));
    for (const row of rows) {
      const failed = cancelled.includes(row) ? "withdrawal.cancelled" : "withdrawal.failed";
      const expected = { completed: "withdrawal.completed", failed, pending: null, processing: null };
      expect(row.callback).toBe(expected[withdrawalStatus({ step: row.to })]);
    }
    for (const { from } of rows) expect(ends).not.toContain(from);
  });
});

describe("what an action brings along, and nothing else", () => {
  it.each([
    ["sweep", withdrawalAt("reserved"), { step: "sweeping", treasuryAddress: "0xtreasury" }],
    ["give_up", withdrawalAt("reserved"), { step: "released", failureReason: "It is no Safe." }],
    ["cancel", withdrawalAt("reserved"), { step: "released", failureReason: "The partner cancelled it.", cancelledAt: NOW }],
    ["cancel_sweep", withdrawalAt("sweeping"), { step: "released", failureReason: "The partner cancelled it.", cancelledAt: NOW }],
    ["take", withdrawalAt("sweeping"), { step: "paying_out", txHash: "0xaa" }],
    ["fail_sweep", withdrawalAt("sweeping"), { step: "released", failureReason: "It was reverted." }],
    ["pay", withdrawalAt("paying_out"), { step: "paid", providerReference: "P-1", completedAt: NOW }],
    ["fail_payout", withdrawalAt("paying_out"), { step: "returning", providerReference: "P-1", failureReason: "No such account." }],
    [
      "return",
      withdrawalAt("returning", { failureReason: "No such account." }),
      { step: "returned", returnTxHash: "0xbb", failureReason: "No such account. The crypto was returned." },
    ],
    [
      "fail_return",
      withdrawalAt("returning", { failureReason: "No such account." }),
      { step: "unreturned", failureReason: "No such account. The crypto could not be returned: The token refuses it." },
    ],
  ] as const)("%s", (type, before, change) => {
    expect(advanceWithdrawal(before, ACTIONS[type], NOW)).toEqual({ ...before, ...change, updatedAt: NOW });
  });

  it("keeps the provider's reference when a later answer has none", () => {
    const known = withdrawalAt("paying_out", { providerReference: "P-1" });
    expect(advanceWithdrawal(known, { type: "pay", reference: null }, NOW).providerReference).toBe("P-1");
  });
});

describe("the provider's word", () => {
  const paid = (reference: string | null = "P-1"): ProviderWord => ({ status: "succeeded", reference, reason: null });
  const failed: ProviderWord = { status: "failed", reference: "P-1", reason: "closed\naccount\u0000" };
  const effect = (step: WithdrawalStep, word: ProviderWord) =>
    applyWithdrawalUpdate(withdrawalAt(step, { providerReference: "P-1" }), word).effect;

  it.each([
    ["reserved", "contradicted", "contradicted"],
    ["sweeping", "contradicted", "contradicted"],
    ["paying_out", "applied", "applied"],
    ["returning", "contradicted", "repeated"],
    ["paid", "repeated", "contradicted"],
    ["released", "contradicted", "contradicted"],
    ["returned", "contradicted", "repeated"],
    ["unreturned", "contradicted", "repeated"],
  ] as const)("on a withdrawal that is %s: paid is %s, failed is %s", (step, onPaid, onFailed) => {
    expect([effect(step, paid()), effect(step, failed)]).toEqual([onPaid, onFailed]);
  });

  it("paid again under another reference is money that moved twice, not a repetition", () => {
    expect([effect("paid", paid("P-2")), effect("paid", paid(null))]).toEqual(["contradicted", "repeated"]);
  });

  it("gives a reason that is one plain line", () => {
    const reasonOf = (word: ProviderWord) => applyWithdrawalUpdate(withdrawalAt("paying_out"), word).action;
    expect(reasonOf(failed)).toEqual({ type: "fail_payout", reference: "P-1", reason: "closed account." });
    expect(reasonOf({ ...failed, reason: null })).toMatchObject({ reason: "The provider could not pay out." });
    expect(reasonOf({ ...failed, reason: "x".repeat(9_999) })).toMatchObject({ reason: `${"x".repeat(300)}.` });
  });
});
