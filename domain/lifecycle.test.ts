import { describe, expect, it } from "vitest";
import { type Action, advance, allows, INITIAL_STATES, listSteps, quoteHasLapsed } from "./lifecycle.ts";
import { ACTIONS, AFTER, BEFORE, EXPIRES, repriced, settlementIn } from "./lifecycle-fixture.ts";
import { isRefusal } from "./refusal.ts";
import type { ApprovalState, Settlement, SettlementStatus } from "./settlement.ts";

const INSTANTS = { before: BEFORE, at: EXPIRES, after: AFTER };

/** What becomes of a settlement: "status/approval", or the code of the refusal. */
function outcome(settlement: Settlement, action: Action, now: Date): string {
  try {
    const after = advance(settlement, action, now);
    return `${after.status}/${after.approvalState}`;
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

/**
 * Written from the contract's table, not from the code's: for each status and approval state, the results of the six actions. "-" is a
 * refusal with `invalid_state`. A cell with a bar has the outcome before expiry, at it, and after it.
 */
const ACTION_ORDER = ["approve", "reject", "confirm", "cancel", "execute", "fail"] as const;
const CONFIRM = (to: string) => `${to}|quote_expired|quote_expired`;
const EXPECTED: [SettlementStatus, ApprovalState | null, string, string, string, string, string, string][] = [
  ["quoted", null, "-", "-", CONFIRM("processing/null"), "cancelled/null", "-", "-"],
  ["quoted", "pending", "quoted/approved", "cancelled/rejected", "approval_pending", "cancelled/pending", "-", "-"],
  ["quoted", "approved", "-", "-", CONFIRM("processing/approved"), "cancelled/approved", "-", "-"],
  ["quoted", "rejected", "-", "-", "-", "-", "-", "-"],
  ["processing", null, "-", "-", "-", "-", "executed/null", "failed/null"],
  ["processing", "pending", "-", "-", "-", "-", "-", "-"],
  ["processing", "approved", "-", "-", "-", "-", "executed/approved", "failed/approved"],
  ["processing", "rejected", "-", "-", "-", "-", "-", "-"],
  ["executed", null, "-", "-", "-", "-", "-", "-"],
  ["executed", "pending", "-", "-", "-", "-", "-", "-"],
  ["executed", "approved", "-", "-", "-", "-", "-", "-"],
  ["executed", "rejected", "-", "-", "-", "-", "-", "-"],
  ["failed", null, "-", "-", "-", "-", "-", "-"],
  ["failed", "pending", "-", "-", "-", "-", "-", "-"],
  ["failed", "approved", "-", "-", "-", "-", "-", "-"],
  ["failed", "rejected", "-", "-", "-", "-", "-", "-"],
  ["cancelled", null, "-", "-", "-", "-", "-", "-"],
  ["cancelled", "pending", "-", "-", "-", "-", "-", "-"],
  ["cancelled", "approved", "-", "-", "-", "-", "-", "-"],
  ["cancelled", "rejected", "-", "-", "-", "-", "-", "-"],
];

const CASES = EXPECTED.flatMap(([status, approvalState, ...cells]) =>
  ACTION_ORDER.flatMap((type, column) => {
    const cell = cells[column] === "-" ? "invalid_state" : (cells[column] ?? "");
    const [before = "", at = before, after = before] = cell.split("|");
    return [
      { status, approvalState, type, instant: "before" as const, expected: before },
      { status, approvalState, type, instant: "at" as const, expected: at },
      { status, approvalState, type, instant: "after" as const, expected: after },
    ];
  }),
);

describe("every action in every state, before, at and after expiry", () => {
  it("is in the table: 5 statuses, 4 approval states, 6 actions, 3 instants", () => {
    expect(new Set(CASES.map((each) => `${each.status} ${each.approvalState} ${each.type} ${each.instant}`)).size).toBe(5 * 4 * 6 * 3);
  });

  it.each(CASES)("$type on $status/$approvalState $instant expiry: $expected", ({ status, approvalState, type, instant, expected }) => {
    const settlement = settlementIn(status, approvalState);
    const untouched = structuredClone(settlement);
    expect(outcome(settlement, ACTIONS[type], INSTANTS[instant])).toBe(expected);
    expect(settlement).toEqual(untouched);
    expect(allows(settlement, type)).toBe(!["invalid_state", "approval_pending"].includes(expected));
  });
});

describe("listSteps", () => {
  const names = ({ status, approvalState }: Pick<Settlement, "status" | "approvalState">) => `${status}/${approvalState}`;

  it("walks exactly the eleven steps that can ever be taken", () => {
    expect(listSteps().map(({ from, action, to }) => `${names(from)} ${action} ${names(to)}`)).toEqual([
      "quoted/null confirm processing/null",
      "quoted/null cancel cancelled/null",
      "quoted/pending approve quoted/approved",
      "quoted/pending reject cancelled/rejected",
      "quoted/pending cancel cancelled/pending",
      "processing/null execute executed/null",
      "processing/null fail failed/null",
      "quoted/approved confirm processing/approved",
      "quoted/approved cancel cancelled/approved",
      "processing/approved execute executed/approved",
      "processing/approved fail failed/approved",
    ]);
    expect(INITIAL_STATES.map(names)).toEqual(["quoted/null", "quoted/pending"]);
  });

  it("says what advance does", () => {
    for (const { from, action, to } of listSteps()) {
      expect(outcome(settlementIn(from.status, from.approvalState), ACTIONS[action], BEFORE)).toBe(names(to));
    }
  });
});

describe("what an action brings along, and nothing else", () => {
  it.each([
    ["approve", settlementIn("quoted", "pending"), { approvalState: "approved", quote: repriced, approvalDecidedAt: BEFORE }],
    [
      "reject",
      settlementIn("quoted", "pending"),
      {
        status: "cancelled",
        approvalState: "rejected",
        rejectionReason: ACTIONS.reject.reason,
        approvalDecidedAt: BEFORE,
        cancelledAt: BEFORE,
      },
    ],
    [
      "confirm",
      settlementIn("quoted", "approved"),
      { status: "processing", externalTxId: "order-1", callbackUrl: "https://partner.example/hook", confirmedAt: BEFORE },
    ],
    ["cancel", settlementIn("quoted", null), { status: "cancelled", cancelledAt: BEFORE }],
    ["execute", settlementIn("processing", null), { status: "executed", txHash: "0xabc", executedAt: BEFORE }],
    ["fail", settlementIn("processing", null), { status: "failed", failedAt: BEFORE, failureReason: ACTIONS.fail.reason }],
  ] as const)("%s", (type, settlement, change) => {
    expect(advance(settlement, ACTIONS[type], BEFORE)).toEqual({ ...settlement, ...change });
  });
});

describe("a refusal", () => {
  const particulars = (settlement: Settlement, action: Action, now: Date) => {
    try {
      return advance(settlement, action, now);
    } catch (error) {
      return isRefusal(error) ? error.particulars.members : error;
    }
  };

  it("for a wrong state names the status", () => {
    expect(particulars(settlementIn("executed", null), ACTIONS.cancel, BEFORE)).toEqual({ settlement_status: "executed" });
  });

  it("for an expired quote says when it expired and what time it is", () => {
    expect(particulars(settlementIn("quoted", null), ACTIONS.confirm, EXPIRES)).toEqual({
      expired_at: "2026-11-21T10:05:00.000Z",
      server_time: "2026-11-21T10:05:00.000Z",
    });
  });
});

describe("quoteHasLapsed", () => {
  it("is false one millisecond before expiry, and true at the very instant and after it", () => {
    const settlement = settlementIn("quoted", null);
    expect([BEFORE, EXPIRES, AFTER].map((now) => quoteHasLapsed(settlement, now))).toEqual([false, true, true]);
  });

  it("goes by the new expiry once an admin has approved", () => {
    const approved = advance(settlementIn("quoted", "pending"), ACTIONS.approve, AFTER);
    expect(outcome(approved, ACTIONS.confirm, AFTER)).toBe("processing/approved");
    expect(outcome(approved, ACTIONS.confirm, repriced.expiresAt)).toBe("quote_expired");
  });
});
