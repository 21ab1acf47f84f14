import { expect, it } from "vitest";
import type { ReconciliationFinding } from "#db/queries/ledger/reconciliations.ts";
import { asNewCase } from "./new-case.ts";

const CHAIN = "eip155:1";
const paid = { rule: "executed_is_on_the_chain", subject: "tx_1", chain: CHAIN, detail: "is on no chain", halted: true };
const missing = { rule: "treasury_is_there", subject: "eip155:1 USDT", chain: CHAIN, detail: "is missing", halted: true };
const silent = { rule: "chain_was_asked", subject: CHAIN, chain: null, detail: "not proven", halted: false };
const runs = (...each: ReconciliationFinding[][]) => each.map((findings, index) => ({ day: `2026-11-${25 - index}`, findings }));
const isNew = (found: ReconciliationFinding, ...each: ReconciliationFinding[][]) => asNewCase(found, runs(...each)) !== null;

it("a case without an amount is known as long as any remembered run names it", () => {
  expect(isNew(paid)).toBe(true);
  expect(isNew(paid, [], [paid])).toBe(false);
  expect(isNew({ ...paid, subject: "tx_2" }, [paid])).toBe(true);
  expect(isNew(paid, [{ ...paid, halted: false, deferred: true }])).toBe(true);
});

it("a case with an amount is new where more is missing than the newest run that measured the chain found", () => {
  const of = (missingBase: string) => ({ ...missing, missingBase });
  expect(isNew(of("1"))).toBe(true);
  expect(isNew(of("5"), [of("5")])).toBe(false);
  expect(isNew(of("4"), [of("5")])).toBe(false);
  expect(isNew(of("6"), [of("5")])).toBe(true);
  expect(isNew(of("10"), [of("9")])).toBe(true);
  expect(isNew(of("5"), [], [of("5")])).toBe(true);
  expect(isNew(of("5"), [silent], [of("5")])).toBe(false);
  expect(isNew(of("5"), [{ ...of("5"), halted: false, deferred: true }], [of("4")])).toBe(true);
});

it("a loss whose amount an earlier version did not keep is no measure of growth", () => {
  expect(isNew({ ...missing, missingBase: "5" }, [missing])).toBe(true);
});

it("what was last found is said, with its day", () => {
  const found = { ...missing, missingBase: "6" };
  expect(asNewCase(found, runs([silent], [{ ...missing, missingBase: "5" }]))?.before).toMatchObject({
    day: "2026-11-24",
    missingBase: "5",
  });
  expect(asNewCase(found, [])).toEqual({ before: null });
});
