import { describe, expect, it } from "vitest";
import {
  askedOf,
  countsFor,
  describeFaults,
  faultsOfRules,
  hintsAsked,
  type PolicyRule,
  type QuotedSettlement,
  readRule,
  ruleFor,
  wantedBy,
  writeRule,
} from "./approval-policy.ts";
import { compareRules, type WrittenRule } from "./policy-rule.ts";

const ANY: WrittenRule = {
  id: "any",
  partner_id: null,
  source_currency: null,
  destination_currency: null,
  chain: null,
  amount: null,
  hints: [],
  approvals: 1,
  who: "deciders",
  people: [],
};
const rule = (fields: Partial<WrittenRule>): PolicyRule => readRule({ ...ANY, ...fields });
const QUOTED: QuotedSettlement = {
  partnerId: "p",
  sourceCurrency: "KES",
  destinationCurrency: "USDT",
  chain: "eip155:1",
  hints: [],
  // 10,000.00 KES; 76.5 USDT.
  sourceAmountMinor: 1_000_000n,
  destinationAmountBase: 76_500_000n,
  tokenDecimals: 6,
};
const holds = (fields: Partial<WrittenRule>, more: Partial<QuotedSettlement> = {}) =>
  ruleFor([rule(fields)], { ...QUOTED, ...more }) !== null;

describe("a rule of the approval policy", () => {
  it("holds for all that it names, and asks nothing of what it does not name", () => {
    expect(holds({})).toBe(true);
    const named = { partner_id: "p", source_currency: "KES", destination_currency: "USDT", chain: "eip155:1" };
    expect(holds(named)).toBe(true);
    for (const name of Object.keys(named)) expect([name, holds({ ...named, [name]: "other" })]).toEqual([name, false]);
  });

  it("counts an amount from a figure, that one included, to below another, that one left out, exactly", () => {
    const source = (from: string | null, below: string | null) => holds({ source_currency: "KES", amount: { of: "source", from, below } });
    expect([source("10000", null), source("10000.01", null), source("10000.000000000000000001", null)]).toEqual([true, false, false]);
    expect([source(null, "10000"), source(null, "10000.000000000000000001"), source("9999.99", "10000.01")]).toEqual([false, true, true]);
    const net = (from: string) => holds({ destination_currency: "USDT", amount: { of: "destination", from, below: null } });
    expect([net("76.5"), net("76.500001")]).toEqual([true, false]);
  });

  it("counts an amount by the decimals of its own currency", () => {
    const yen = { sourceCurrency: "JPY", sourceAmountMinor: 10_000n };
    const from = (amount: string) => holds({ source_currency: "JPY", amount: { of: "source", from: amount, below: null } }, yen);
    expect([from("10000"), from("10001")]).toEqual([true, false]);
  });

  it("holds for any one of its hints", () => {
    const fields = { hints: ["new_key", "repeated"] as WrittenRule["hints"] };
    expect([holds(fields), holds(fields, { hints: ["first_wallet_use"] }), holds(fields, { hints: ["repeated"] })]).toEqual([
      false,
      false,
      true,
    ]);
    expect(hintsAsked([rule(fields), rule({ hints: ["first_wallet_use"] })])).toEqual(["first_wallet_use", "repeated", "new_key"]);
  });

  it("of several that match, the first one applies", () => {
    const rules = [rule({ id: "theirs", partner_id: "other" }), rule({ id: "first", approvals: 2 }), rule({ id: "second", approvals: 3 })];
    expect(ruleFor(rules, QUOTED)?.id).toBe("first");
    expect(ruleFor(rules.slice(0, 1), QUOTED)).toBeNull();
    expect(ruleFor([], QUOTED)).toBeNull();
  });
});

describe("what is asked of a decision", () => {
  it("is never less than what the terms ask", () => {
    expect(askedOf(1, null)).toEqual({ needed: 1, who: { kind: "deciders" } });
    expect(askedOf(2, null)).toEqual({ needed: 2, who: { kind: "deciders" } });
    expect(askedOf(2, { rule: rule({ approvals: 1, who: "admins" }) })).toEqual({ needed: 2, who: { kind: "admins" } });
    expect(askedOf(1, { rule: rule({ approvals: 3 }) }).needed).toBe(3);
  });

  it("needs two people who may approve where terms may ask for two, unless the rule ends below that", () => {
    const terms = {
      partnerId: null,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      chain: "eip155:1",
      twoApprovalsAboveMinor: 5_000_00n,
    };
    const wanted = (fields: Partial<WrittenRule>, ...more: Partial<typeof terms | { partnerId: string }>[]) =>
      wantedBy(rule(fields), [terms, ...more.map((each) => ({ ...terms, ...each }))]);
    expect([wanted({}), wanted({ approvals: 3 }), wantedBy(rule({}), [{ ...terms, twoApprovalsAboveMinor: null }])]).toEqual([2, 3, 1]);
    for (const named of [{ source_currency: "NGN" }, { destination_currency: "USDC" }, { chain: "eip155:2" }])
      expect([named, wanted(named)]).toEqual([named, 1]);
    const source = (below: string | null, from: string | null = null) =>
      wanted({ source_currency: "KES", amount: { of: "source", from, below } });
    expect([source("5000"), source("5000.01"), source("5000.02"), source(null, "1")]).toEqual([1, 1, 2, 2]);
    expect(wanted({ destination_currency: "USDT", amount: { of: "destination", from: null, below: "1" } })).toBe(2);
    // A partner's own terms replace the pair's.
    const own = { partnerId: "p", twoApprovalsAboveMinor: null } as const;
    expect([wanted({ partner_id: "p" }), wanted({ partner_id: "p" }, own as never), wanted({}, own as never)]).toEqual([2, 1, 2]);
    expect(wanted({ partner_id: "q" }, own as never)).toBe(2);
  });

  it("is answered by who fits at this moment, and by nobody who was shut out or lost the role", () => {
    const admin = { principal: "a", role: "admin" } as const;
    const approver = { principal: "b", role: "approver" } as const;
    const viewer = { principal: "c", role: "viewer" } as const;
    const machine = { principal: "machine", role: "machine" } as const;
    const all = [admin, approver, viewer, machine, null];
    expect(all.map((each) => countsFor({ kind: "deciders" }, each))).toEqual([true, true, false, true, false]);
    expect(all.map((each) => countsFor({ kind: "admins" }, each))).toEqual([true, false, false, false, false]);
    expect(all.map((each) => countsFor({ kind: "people", people: ["b", "c"] }, each))).toEqual([false, true, false, false, false]);
  });
});

describe("rules as they are written", () => {
  it("are read and written back the same, amounts exact", () => {
    const written: WrittenRule = {
      ...ANY,
      id: "large",
      source_currency: "KES",
      amount: { of: "source", from: "123456789012.01", below: null },
      hints: ["new_key"],
      approvals: 2,
      who: "people",
      people: ["a", "b"],
    };
    expect(writeRule(readRule(written))).toEqual(written);
  });

  it("are refused where they do not fit together", () => {
    const faults = (...fields: Partial<WrittenRule>[]) => faultsOfRules(fields.map(rule)).map(({ pointer }) => pointer);
    expect(faults({})).toEqual([]);
    expect(faults({ id: "No Name" })).toEqual(["/rules/0/id"]);
    expect(faults({}, {})).toEqual(["/rules/1/id"]);
    expect(faults({ approvals: 0 }, { id: "six", approvals: 6 })).toEqual(["/rules/0/approvals", "/rules/1/approvals"]);
    expect(faults({ who: "people" })).toEqual(["/rules/0/people"]);
    expect(faults({ who: "people", people: ["a", "a"], approvals: 2 })).toEqual(["/rules/0/people"]);
    expect(faults({ who: "people", people: ["a", "b"], approvals: 2 })).toEqual([]);
    const amount = (from: string | null, below: string | null) => ({
      source_currency: "KES",
      amount: { of: "source" as const, from, below },
    });
    expect(faults({ ...amount("1", null), source_currency: null })).toEqual(["/rules/0/amount"]);
    expect(faults(amount(null, null))).toEqual(["/rules/0/amount"]);
    expect(faults(amount("5", "5"))).toEqual(["/rules/0/amount"]);
    expect(faults(amount(null, "0"))).toEqual(["/rules/0/amount"]);
    expect(faults(amount("0", "5"))).toEqual([]);
    expect(faults(...Array.from({ length: 51 }, (_, each) => ({ id: `rule-${each}` })))).toEqual(["/rules"]);
  });

  it("have their faults named", () => {
    const rules = [rule({ id: "fine" }), rule({ id: "six-people", approvals: 6 })];
    expect(describeFaults(rules, faultsOfRules(rules))).toBe("six-people: Enter a whole number from 1 to 5.");
    expect(describeFaults([], [{ pointer: "/from", message: "The end must be after the start." }])).toBe(
      "The end must be after the start.",
    );
  });

  it("are compared by their names: added, changed, moved, kept and removed", () => {
    const [a, b, c] = ["aaa", "bbb", "ccc"].map((id) => ({ ...ANY, id })) as [WrittenRule, WrittenRule, WrittenRule];
    const changes = compareRules([a, b, c], [c, { ...b, approvals: 2 }, { ...ANY, id: "new" }]);
    expect(changes.map(({ id, change }) => [id, change])).toEqual([
      ["ccc", "moved"],
      ["bbb", "changed"],
      ["new", "added"],
      ["aaa", "removed"],
    ]);
    const spelled: WrittenRule = { ...a, source_currency: "KES", amount: { of: "source", from: "1.0", below: null } };
    const same = compareRules([spelled], [{ ...spelled, amount: { of: "source", from: "1", below: null } }]);
    expect(same.map(({ change }) => change)).toEqual(["kept"]);
  });
});
