import { describe, expect, it } from "vitest";
import { holdingFindings, holdReason } from "./payment-check.ts";
import { concludeScreening, type ScreeningSource, screeningFindings, type Word } from "./screening.ts";

const DESTINATION = { chain: "eip155:1", tokenAddress: null, address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" };

function word(kind: ScreeningSource, answer: Word["answer"], source: string = kind): Word {
  return { kind, source, answer, block: answer === "silent" ? null : 7, version: null, detail: null, askedAt: new Date(0) };
}
const screened = (...words: Word[]) => concludeScreening(DESTINATION, words);

const CLEAR = screened(word("oracle", "clear"));
const HIT = screened(word("oracle", "hit"));
const SILENT = screened(word("oracle", "silent"));
const UNCOVERED = screened();
const holding = (screening: ReturnType<typeof screened>, released: readonly string[] = []) =>
  holdingFindings({ findings: screeningFindings(screening) }, released);
const keys = (screening: ReturnType<typeof screened>) => holding(screening).map(({ key }) => key);
const mayBePaid = (screening: ReturnType<typeof screened>, released: readonly ReturnType<typeof screened>[]) =>
  holding(screening, released.flatMap(keys)).length === 0;

describe("what follows from all that was said", () => {
  it.each([
    ["nobody was asked", [], "uncovered"],
    ["an issuer alone, who knows only whom it froze itself", [word("issuer", "clear")], "uncovered"],
    ["an oracle", [word("oracle", "clear")], "clear"],
    ["a list", [word("list", "clear")], "clear"],
    ["all of them", [word("oracle", "clear"), word("list", "clear"), word("issuer", "clear")], "clear"],
    ["one silence among clear ones", [word("oracle", "clear"), word("list", "silent")], "silent"],
    ["a silent issuer with a clear list", [word("list", "clear"), word("issuer", "silent")], "silent"],
    ["a hit with silence", [word("oracle", "silent"), word("issuer", "hit")], "hit"],
    ["a hit with clear ones", [word("oracle", "clear"), word("list", "hit")], "hit"],
    ["an issuer's hit alone", [word("issuer", "hit")], "hit"],
  ] as const)("%s: %#", (_, words, outcome) => {
    const screening = screened(...words);
    expect(screening.outcome).toBe(outcome);
    expect(holding(screening).length === 0, "a payment is held by all but what is clear").toBe(outcome === "clear");
  });

  it("is said in words, with the evidence", () => {
    expect(holdReason(holding(screened(word("oracle", "clear"), { ...word("list", "hit", "sdn.xml"), version: "sha256:12" })))).toBe(
      "The recipient is named by the address list sdn.xml.",
    );
    expect(holdReason(holding(SILENT))).toBe("There is no answer from the sanctions oracle oracle.");
    expect(holdReason(holding(UNCOVERED))).toBe("Nothing that is asked knows the addresses of eip155:1.");
    expect(screeningFindings(CLEAR)).toMatchObject([
      {
        outcome: "pass",
        version: "block 7",
        dryRun: false,
        facts: { source: "oracle oracle", answer: "clear", block: 7, asked_at: "1970-01-01T00:00:00.000Z" },
      },
    ]);
  });
});

describe("what people have released", () => {
  it("is paid for what they had before them", () => {
    for (const screening of [HIT, SILENT, UNCOVERED]) expect(mayBePaid(screening, [screening])).toBe(true);
    expect(mayBePaid(CLEAR, [HIT])).toBe(true);
    const both = screened(word("oracle", "hit"), word("list", "hit"));
    expect(mayBePaid(both, [HIT, screened(word("list", "hit"))])).toBe(true);
  });

  it("is not paid for what they could not know", () => {
    expect(mayBePaid(HIT, [SILENT]), "the silent source speaks").toBe(false);
    expect(mayBePaid(HIT, [UNCOVERED])).toBe(false);
    expect(mayBePaid(UNCOVERED, [SILENT])).toBe(false);
    expect(mayBePaid(screened(word("oracle", "hit"), word("list", "hit")), [HIT]), "another source names it too").toBe(false);
    expect(mayBePaid(screened(word("list", "hit")), [HIT])).toBe(false);
  });
});
