import { describe, expect, test } from "vitest";
import { approvalsNeeded, deciderOf, nearsTwoApprovals, promptnessOf } from "./approval.ts";

describe("maker–checker", () => {
  test("needs two only strictly above the second threshold, and never without one", () => {
    const rule = { maximumSourceMinor: 100n, twoApprovalsAboveMinor: 500n };
    expect([101n, 500n, 501n].map((amount) => approvalsNeeded(amount, rule))).toEqual([1, 1, 2]);
    expect(approvalsNeeded(10n ** 15n, { ...rule, twoApprovalsAboveMinor: null })).toBe(1);
  });

  test("amounts that wait together are near the second threshold from nine tenths of it on", () => {
    const rule = { twoApprovalsAboveMinor: 500n };
    expect([449n, 450n, 500n, 900n].map((sum) => nearsTwoApprovals(sum, rule))).toEqual([false, true, true, true]);
    expect(nearsTwoApprovals(10n ** 15n, { twoApprovalsAboveMinor: null })).toBe(false);
  });

  test("counts people and operators' keys, and nothing else", () => {
    expect(deciderOf({ type: "user", userId: "u", role: "approver", partnerId: null })).toEqual({ type: "user", id: "u" });
    expect(deciderOf({ type: "operator_key", apiKeyId: "k" })).toEqual({ type: "operator_key", id: "k" });
    expect(deciderOf({ type: "user", userId: "u", role: "owner", partnerId: "p" })).toBeNull();
    expect(deciderOf({ type: "api_key", apiKeyId: "k", partnerId: "p" })).toBeNull();
    expect(deciderOf({ type: "system" })).toBeNull();
  });

  test("is due after a quarter of an hour and late after an hour", () => {
    expect([0, 899_999, 900_000, 3_599_999, 3_600_000].map(promptnessOf)).toEqual(["in_time", "in_time", "due", "due", "late"]);
  });
});
