import { describe, expect, it } from "vitest";
import { concludeScreening, type Finding, mayBePaid, type ScreeningSource, screeningReason } from "./screening.ts";

const DESTINATION = { chain: "eip155:1", tokenAddress: null, address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" };

function finding(kind: ScreeningSource, answer: Finding["answer"], source: string = kind): Finding {
  return { kind, source, answer, block: null, version: null, detail: null, askedAt: new Date(0) };
}
const screened = (...findings: Finding[]) => concludeScreening(DESTINATION, findings);

const CLEAR = screened(finding("oracle", "clear"));
const HIT = screened(finding("oracle", "hit"));
const SILENT = screened(finding("oracle", "silent"));
const UNCOVERED = screened();

describe("what follows from all that was said", () => {
  it.each([
    ["nobody was asked", [], "uncovered"],
    ["an issuer alone, who knows only whom it froze itself", [finding("issuer", "clear")], "uncovered"],
    ["an oracle", [finding("oracle", "clear")], "clear"],
    ["a list", [finding("list", "clear")], "clear"],
    ["all of them", [finding("oracle", "clear"), finding("list", "clear"), finding("issuer", "clear")], "clear"],
    ["one silence among clear ones", [finding("oracle", "clear"), finding("list", "silent")], "silent"],
    ["a silent issuer beside a clear list", [finding("list", "clear"), finding("issuer", "silent")], "silent"],
    ["a hit beside silence", [finding("oracle", "silent"), finding("issuer", "hit")], "hit"],
    ["a hit beside clear ones", [finding("oracle", "clear"), finding("list", "hit")], "hit"],
    ["an issuer's hit alone", [finding("issuer", "hit")], "hit"],
  ] as const)("%s", (_, findings, outcome) => {
    expect(screened(...findings).outcome).toBe(outcome);
  });

  it("says why in words, and nothing of what is clear", () => {
    expect(screeningReason(CLEAR)).toBeNull();
    expect(screeningReason(screened(finding("oracle", "clear"), finding("list", "hit", "sdn.xml")))).toBe(
      "Screening: the recipient is named by the address list sdn.xml.",
    );
    expect(screeningReason(SILENT)).toBe("Screening: no answer from the sanctions oracle oracle.");
    expect(screeningReason(UNCOVERED)).toBe("Screening: nothing that is asked knows the addresses of eip155:1.");
  });
});

describe("what may be paid", () => {
  it("is what is clear, and nothing else, while nobody released it", () => {
    expect([CLEAR, HIT, SILENT, UNCOVERED].map((screening) => mayBePaid(screening, []))).toEqual([true, false, false, false]);
  });

  it("is what people released, for what they had before them", () => {
    for (const screening of [HIT, SILENT, UNCOVERED]) expect(mayBePaid(screening, [screening])).toBe(true);
    expect(mayBePaid(SILENT, [HIT]), "whom the source had named, and it is silent now").toBe(true);
    expect(mayBePaid(CLEAR, [HIT])).toBe(true);
  });

  it("is not what they could not know", () => {
    expect(mayBePaid(HIT, [SILENT]), "the silent source speaks").toBe(false);
    expect(mayBePaid(HIT, [UNCOVERED])).toBe(false);
    expect(mayBePaid(UNCOVERED, [SILENT])).toBe(false);
    expect(mayBePaid(screened(finding("oracle", "hit"), finding("list", "hit")), [HIT]), "another source names it too").toBe(false);
    expect(mayBePaid(screened(finding("list", "hit")), [HIT])).toBe(false);
  });

  it("is what two releases together knew", () => {
    const both = screened(finding("oracle", "hit"), finding("list", "hit"));
    expect(mayBePaid(both, [HIT, screened(finding("list", "hit"))])).toBe(true);
  });
});
