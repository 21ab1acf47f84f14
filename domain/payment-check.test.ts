import { describe, expect, it } from "vitest";
import { type Finding, holdingFindings, holdReason } from "./payment-check.ts";

const finding = (fields: Partial<Finding> = {}): Finding => ({
  key: "rule",
  version: "1",
  outcome: "hold",
  dryRun: false,
  words: "The limit is reached.",
  facts: {},
  ...fields,
});

describe("a payment is held by", () => {
  it("whatever says hold, and by nothing that passes or only records", () => {
    const findings = [finding(), finding({ key: "b", outcome: "pass" }), finding({ key: "c", dryRun: true })];
    expect(holdingFindings({ findings }).map(({ key }) => key)).toEqual(["rule"]);
  });

  it("nothing that people have released it from, and by another rule all the same", () => {
    const findings = [finding(), finding({ key: "b" })];
    expect(holdingFindings({ findings }, ["rule"]).map(({ key }) => key)).toEqual(["b"]);
  });

  it("several, and says all of them", () => {
    expect(holdReason([finding(), finding({ words: "It is new." })])).toBe("The limit is reached. It is new.");
  });
});
