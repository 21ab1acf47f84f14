import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACTION_TYPES, type ActionType, advance } from "./lifecycle.ts";
import { ACTIONS, quote, repriced, settlementIn } from "./lifecycle-fixture.ts";
import { isRefusal } from "./refusal.ts";
import type { Settlement } from "./settlement.ts";

describe("any sequence of actions at any instants", () => {
  const minutes = fc.integer({ min: 0, max: 120 });
  const step = fc.tuple(fc.constantFrom(...ACTION_TYPES), minutes);

  /** A second, smaller model of the specification's part 3: a settlement's state in the words of a story. */
  type Chapter = "offered" | "waiting" | "paying" | "over";
  function nextChapter(chapter: Chapter, type: ActionType, isLapsed: boolean): Chapter {
    if (chapter === "waiting") return type === "approve" ? "offered" : type === "reject" || type === "cancel" ? "over" : "waiting";
    if (chapter === "offered") return type === "cancel" ? "over" : type === "confirm" && !isLapsed ? "paying" : "offered";
    if (chapter === "paying") return type === "execute" || type === "fail" ? "over" : "paying";
    return "over";
  }
  const chapterOf = ({ status, approvalState }: Settlement): Chapter =>
    status === "processing" ? "paying" : status !== "quoted" ? "over" : approvalState === "pending" ? "waiting" : "offered";

  it("matches the specification's story, and ends at most once", () => {
    fc.assert(
      fc.property(fc.constantFrom(null, "pending" as const), fc.array(step, { maxLength: 12 }), (approvalState, steps) => {
        let settlement = settlementIn("quoted", approvalState);
        let chapter = chapterOf(settlement);
        let expiresAt = quote.expiresAt;
        let endings = 0;
        for (const [type, minute] of steps) {
          const now = new Date(quote.pricedAt.getTime() + minute * 60_000);
          const wasWaiting = chapter === "waiting";
          const following = nextChapter(chapter, type, now >= expiresAt);
          const before = settlement;
          try {
            settlement = advance(settlement, ACTIONS[type], now);
            expect(following).not.toBe(chapter);
          } catch (error) {
            if (!isRefusal(error)) throw error;
            expect(following).toBe(chapter);
            expect(settlement).toBe(before);
          }
          if (wasWaiting && following === "offered") expiresAt = repriced.expiresAt;
          if (following === "over" && chapter !== "over") endings += 1;
          chapter = following;
          expect(chapterOf(settlement)).toBe(chapter);
          expectConsistent(settlement);
        }
        expect(endings).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
  });

  /** What the database's checks demand of a row. */
  function expectConsistent(settlement: Settlement): void {
    const { status, approvalState } = settlement;
    const isConfirmed = status === "processing" || status === "executed" || status === "failed";
    expect([settlement.confirmedAt, settlement.externalTxId, settlement.callbackUrl].map((value) => value !== null)).toEqual([
      isConfirmed,
      isConfirmed,
      isConfirmed,
    ]);
    expect([settlement.txHash, settlement.executedAt].map((value) => value !== null)).toEqual([
      status === "executed",
      status === "executed",
    ]);
    expect(settlement.failureReason !== null).toBe(status === "failed");
    expect(settlement.cancelledAt !== null).toBe(status === "cancelled");
    expect(settlement.approvalDecidedAt !== null).toBe(approvalState === "approved" || approvalState === "rejected");
    expect(settlement.rejectionReason !== null).toBe(approvalState === "rejected");
  }
});
