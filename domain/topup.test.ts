import { describe, expect, it } from "vitest";
import { IllegalFiatMove, type ProviderWord } from "./fiat.ts";
import { CREATED, NOW, topupAt } from "./fiat-fixture.ts";
import {
  advanceTopup,
  allowsTopup,
  applyTopupUpdate,
  expiryOf,
  hasExpired,
  isTooLate,
  paymentAdvice,
  TOPUP_LIFECYCLE,
  TOPUP_LIFETIME_MS,
  TOPUP_STEPS,
  type TopupAction,
  type TopupActionType,
  type TopupStep,
  topupStatus,
} from "./topup.ts";

const ACTIONS: Record<TopupActionType, TopupAction> = {
  collect: { type: "collect", reference: "P-1" },
  fail_collection: { type: "fail_collection", reference: "P-1", reason: "Nobody paid." },
  expire: { type: "expire" },
  cancel: { type: "cancel" },
  deliver: { type: "deliver", txHash: "0xaa" },
  fail_delivery: { type: "fail_delivery", reason: "The token refuses it." },
};

/** Written from the contract, not derived from the table: every pair that is not here must be refused. */
const LEGAL: [TopupStep, TopupActionType, TopupStep][] = [
  ["collecting", "collect", "sending"],
  ["collecting", "fail_collection", "uncollected"],
  ["collecting", "expire", "uncollected"],
  ["collecting", "cancel", "uncollected"],
  ["sending", "deliver", "sent"],
  ["sending", "fail_delivery", "unsent"],
];

describe("the life of a top-up", () => {
  for (const step of TOPUP_STEPS) {
    for (const action of Object.values(ACTIONS)) {
      const legal = LEGAL.find(([from, type]) => from === step && type === action.type);
      it(`${step} + ${action.type} ${legal ? `becomes ${legal[2]}` : "is refused"}`, () => {
        const before = topupAt(step);
        const untouched = structuredClone(before);
        expect(allowsTopup(step, action.type)).toBe(legal !== undefined);
        if (legal) expect(advanceTopup(before, action, NOW)).toMatchObject({ step: legal[2], updatedAt: NOW });
        else expect(() => advanceTopup(before, action, NOW)).toThrow(IllegalFiatMove);
        expect(before).toEqual(untouched);
      });
    }
  }

  it("has four statuses on the wire", () => {
    expect(TOPUP_STEPS.map((step) => [step, topupStatus({ step })])).toEqual([
      ["collecting", "pending"],
      ["sending", "processing"],
      ["sent", "completed"],
      ["uncollected", "failed"],
      ["unsent", "failed"],
    ]);
  });

  it("calls back exactly where it ends, and never leaves an end", () => {
    for (const [action, { from, to, callback }] of Object.entries(TOPUP_LIFECYCLE)) {
      const failed = action === "cancel" ? "topup.cancelled" : "topup.failed";
      const expected = { completed: "topup.completed", failed, pending: null, processing: null };
      expect(callback).toBe(expected[topupStatus({ step: to })]);
      expect(["pending", "processing"]).toContain(topupStatus({ step: from }));
    }
  });
});

describe("what an action brings along, and nothing else", () => {
  it.each([
    ["collect", topupAt("collecting"), { step: "sending", providerReference: "P-1" }],
    ["fail_collection", topupAt("collecting"), { step: "uncollected", providerReference: "P-1", failureReason: "Nobody paid." }],
    ["expire", topupAt("collecting"), { step: "uncollected", failureReason: "Nobody paid before it expired.", expiredAt: NOW }],
    ["cancel", topupAt("collecting"), { step: "uncollected", failureReason: "The partner cancelled it.", cancelledAt: NOW }],
    ["deliver", topupAt("sending"), { step: "sent", txHash: "0xaa", completedAt: NOW }],
    ["fail_delivery", topupAt("sending"), { step: "unsent", failureReason: "The token refuses it." }],
  ] as const)("%s", (type, before, change) => {
    expect(advanceTopup(before, ACTIONS[type], NOW)).toEqual({ ...before, ...change, updatedAt: NOW });
  });
});

describe("the provider's word", () => {
  const paid = (reference: string | null = "P-1"): ProviderWord => ({ status: "succeeded", reference, reason: null });
  const failed: ProviderWord = { status: "failed", reference: "P-1", reason: null };
  const effect = (step: TopupStep, word: ProviderWord) => applyTopupUpdate(topupAt(step, { providerReference: "P-1" }), word).effect;

  it.each([
    ["collecting", "applied", "applied"],
    ["sending", "repeated", "contradicted"],
    ["sent", "repeated", "contradicted"],
    ["unsent", "repeated", "contradicted"],
    ["uncollected", "contradicted", "repeated"],
  ] as const)("on a top-up that is %s: paid is %s, failed is %s", (step, onPaid, onFailed) => {
    expect([effect(step, paid()), effect(step, failed)]).toEqual([onPaid, onFailed]);
  });

  it("paid after it expired is late, and after that said again, or said otherwise, it is what that is", () => {
    const expired = topupAt("uncollected", { expiredAt: NOW });
    expect([paid(), failed].map((word) => applyTopupUpdate(expired, word))).toEqual([
      { effect: "late", action: null },
      { effect: "repeated", action: null },
    ]);
    const late = { ...expired, latePaidAt: NOW, providerReference: "P-1" };
    expect([paid(), paid("P-2"), failed].map((word) => applyTopupUpdate(late, word).effect)).toEqual([
      "repeated",
      "contradicted",
      "contradicted",
    ]);
  });

  it("paid again under another reference is money that moved twice, not a repetition", () => {
    for (const step of ["sending", "sent", "unsent"] as const) expect(effect(step, paid("P-2"))).toBe("contradicted");
  });
});

describe("the time of a top-up", () => {
  const at = (ms: number) => new Date(CREATED.getTime() + TOPUP_LIFETIME_MS + ms);
  it("is over a day after it was asked for, also where the version before has noted no end", () => {
    for (const topup of [topupAt("collecting"), topupAt("collecting", { expiresAt: null })]) {
      expect(expiryOf(topup)).toEqual(at(0));
      expect([hasExpired(topup, at(-1)), hasExpired(topup, at(0))]).toEqual([false, true]);
    }
  });

  it("leaves the provider a quarter of an hour to report a payment", () => {
    expect([0, 900_000, 900_001].map((ms) => isTooLate(topupAt("collecting"), at(ms)))).toEqual([false, false, true]);
  });
});

describe("what the member sees", () => {
  it("names the amount, the account and our own reference", () => {
    expect(paymentAdvice(topupAt("collecting"), "1000.00")).toEqual({
      reference: "tu_1",
      instructions: "Confirm the request for KES 1000.00 on the phone +254700000000.",
    });
    const bank = topupAt("collecting", { source: { type: "bank_account", account: "0123" } });
    expect(paymentAdvice(bank, "1000.00").instructions).toBe("Transfer KES 1000.00 from the account 0123 and give tu_1 as its reference.");
  });
});
