import { describe, expect, it } from "vitest";
import { auditActorName, differencesOf, sentenceOf } from "./audit-sentence.ts";

const sentence = (action: string, change: Record<string, unknown> = {}) => {
  const { before, after } = sentenceOf({ action, objectId: "x", change });
  return [before, "X", after].filter(Boolean).join(" ");
};

describe("a sentence of the audit log", () => {
  it("says what was done, with what most want to know", () => {
    expect(sentence("settlement.approved", { exchange_rate: ["58.21", "58.43"] })).toBe("approved X at 58.21 → 58.43");
    expect(sentence("settlement.approved", { exchange_rate: ["58.21", "58.21"] })).toBe("approved X at 58.21, as quoted");
    expect(sentence("partner.charge_fee_updated", { charge_fee_percentage: ["1", "1.5"] })).toBe("changed the fee of X from 1 % to 1.5 %");
    expect(sentence("user.role_changed", { role: ["viewer", "approver"] })).toBe("changed the role of X from viewer to approver");
  });

  it("says something of an action that it does not know yet", () => {
    expect(sentence("gadget.turned_round")).toBe("gadget turned round: X");
  });

  it("names people, keys and the service apart", () => {
    expect(auditActorName({ type: "user", name: "Ana" })).toBe("Ana");
    expect(auditActorName({ type: "operator_key", name: "Cron" })).toBe("An operator's key “Cron”");
    expect(auditActorName({ type: "system", name: null })).toBe("The service");
  });
});

describe("what changed", () => {
  it("is described field by field, of two whole records only where they differ", () => {
    const change = { chain: "eip155:1", before: { spread_bps: 10, enabled: true }, after: { spread_bps: 25, enabled: true } };
    expect(differencesOf(change)).toEqual([
      { field: "spread_bps", before: "10", after: "25" },
      { field: "chain", before: null, after: "eip155:1" },
    ]);
  });

  it("takes lists for lists and pairs for before and after", () => {
    expect(differencesOf({ roles: ["AGGREGATOR", "LIQUIDITY_PROVIDER"], fee: ["1", "2"] })).toEqual([
      { field: "roles", before: null, after: "AGGREGATOR, LIQUIDITY_PROVIDER" },
      { field: "fee", before: "1", after: "2" },
    ]);
  });

  it("shows a status with the one before it", () => {
    expect(differencesOf({ from: "quoted", status: "cancelled", approval_state: null })).toEqual([
      { field: "status", before: "quoted", after: "cancelled" },
    ]);
  });
});
