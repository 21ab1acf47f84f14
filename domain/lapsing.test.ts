import { describe, expect, it } from "vitest";
import {
  advanceLapsing,
  allowsLapsing,
  IllegalLapsingMove,
  isOpenLapsing,
  LAPSING_LIFECYCLE,
  LAPSING_STATES,
  type LapsingActionType,
  type LapsingState,
} from "./lapsing.ts";
import { actionOf, judgeReports, type LapsingAttempt, type LapsingEnd, type LapsingReport } from "./lapsing-report.ts";

const ACTIONS = Object.keys(LAPSING_LIFECYCLE) as LapsingActionType[];

/** Written from the rule, not from the table: every pair that is not here must be refused. */
const LEGAL: [LapsingState, LapsingActionType, LapsingState][] = [
  ["stored", "send", "sent"],
  ["stored", "see", "seen"],
  ["stored", "pay", "paid"],
  ["stored", "fail", "failed"],
  ["stored", "lapse", "lapsed"],
  ["sent", "see", "seen"],
  ["sent", "pay", "paid"],
  ["sent", "fail", "failed"],
  ["sent", "lapse", "lapsed"],
  ["seen", "drop", "sent"],
  ["seen", "pay", "paid"],
  ["seen", "fail", "failed"],
];

describe("the life of an attempt that lapses", () => {
  for (const state of LAPSING_STATES) {
    for (const action of ACTIONS) {
      const legal = LEGAL.find(([from, type]) => from === state && type === action);
      it(`${state} + ${action} ${legal ? `becomes ${legal[2]}` : "is refused"}`, () => {
        expect(allowsLapsing(state, action)).toBe(legal !== undefined);
        if (legal) expect(advanceLapsing(state, action)).toBe(legal[2]);
        else expect(() => advanceLapsing(state, action)).toThrow(IllegalLapsingMove);
      });
    }
  }

  it("ends paid, failed or lapsed, and each of them for ever", () => {
    expect(LAPSING_STATES.filter((state) => !isOpenLapsing(state))).toEqual(["paid", "failed", "lapsed"]);
    for (const state of ["paid", "failed", "lapsed"] as const) expect(ACTIONS.filter((action) => allowsLapsing(state, action))).toEqual([]);
  });
});

const OWED = { token: "0xusd", recipient: "0xmerchant", amountBase: 100n };
const at = (height: number) => ({ height, at: new Date(height * 1_000) });
const attempt = (state: LapsingState, by: "height" | "time" = "height"): LapsingAttempt => ({
  state,
  after: 10,
  expiry: by === "height" ? { by, last: 20 } : { by, last: new Date(20_000) },
  owed: [OWED],
});
const move = { token: OWED.token, sender: "0xtreasury", recipient: OWED.recipient, amountBase: 100n };
const place = { height: 15, blockHash: "0xb15" };
const paid: LapsingEnd = { ...place, fee: { token: "0xusd", amountBase: 1n }, moves: [move], outcome: "paid" };
const failed: LapsingEnd = { ...paid, moves: [], outcome: "failed", reason: "frozen", fault: "payment" };

/** Everything that a node may report, by name. */
const REPORTS = {
  // The truth, or a part of it that proves nothing.
  early: { kind: "absent", history: { from: at(11), to: at(15) }, isExpired: false },
  forgot: { kind: "absent", history: null, isExpired: true },
  gap: { kind: "absent", history: { from: at(12), to: at(21) }, isExpired: true },
  edge: { kind: "absent", history: { from: at(11), to: at(20) }, isExpired: true },
  valid: { kind: "absent", history: { from: at(11), to: at(21) }, isExpired: false },
  // The only one that proves a lapse.
  proof: { kind: "absent", history: { from: at(11), to: at(21) }, isExpired: true },
  seen: { kind: "seen", ...place },
  paid: { kind: "final", ...paid },
  failed: { kind: "final", ...failed },
} as const satisfies Record<string, LapsingReport>;
type Name = keyof typeof REPORTS;
const NAMES = Object.keys(REPORTS) as Name[];

/** What the rule says of two reports, written without the code's order of questions. `toPay` is how many nodes must agree to pay. */
function expected(state: LapsingState, names: readonly Name[], configured: number, toPay: number): string {
  const count = (name: Name) => names.filter((each) => each === name).length;
  const two = Math.min(2, configured);
  const isThere = count("seen") + count("paid") + count("failed") > 0;
  if (names.length === 0) return "wait silent";
  if ((count("proof") > 0 && isThere) || (count("paid") > 0 && count("failed") > 0)) return "wait contradiction";
  if (count("paid") > 0) return count("paid") >= Math.min(toPay, configured) ? "pay" : "wait second_node";
  if (count("failed") > 0) return count("failed") >= two ? "fail" : "wait second_node";
  if (count("seen") > 0) return "see";
  if (state === "seen") return count("forgot") === names.length ? "wait silent" : "drop";
  if (count("proof") > 0) return count("proof") >= two ? "lapse" : "wait second_node";
  return count("forgot") + count("gap") + count("edge") > 0 ? "wait lapsing" : "send";
}

const shown = (verdict: ReturnType<typeof judgeReports>) => (verdict.next === "wait" ? `wait ${verdict.for}` : verdict.next);
const PAIRS: Name[][] = [[], ...NAMES.map((name) => [name]), ...NAMES.flatMap((one) => NAMES.map((other) => [one, other]))];

describe("what the nodes report", () => {
  for (const by of ["height", "time"] as const)
    for (const state of ["stored", "sent", "seen"] as const)
      for (const configured of [1, 2])
        for (const toPay of [1, 2])
          it(`by ${by}, ${state}, ${configured} configured, ${toPay} to pay: every report, and every two`, () => {
            for (const names of PAIRS.filter(({ length }) => length <= configured)) {
              const verdict = judgeReports(
                attempt(state, by),
                names.map((name) => REPORTS[name]),
                { configured, toPay },
              );
              expect(`${names}: ${shown(verdict)}`).toBe(`${names}: ${expected(state, names, configured, toPay)}`);
              const action = actionOf(state, verdict);
              if (action !== null) expect(allowsLapsing(state, action), `${names} ${action}`).toBe(true);
            }
          });

  it("lapses by two of three nodes, and not where the third has it", () => {
    const nodes = { configured: 3, toPay: 1 };
    expect(judgeReports(attempt("sent"), [REPORTS.proof, REPORTS.proof], nodes)).toEqual({ next: "lapse" });
    for (const third of ["seen", "paid", "failed"] as const)
      expect(judgeReports(attempt("sent"), [REPORTS.proof, REPORTS.proof, REPORTS[third]], nodes)).toEqual({
        next: "wait",
        for: "contradiction",
      });
  });

  it.each<[string, LapsingEnd]>([
    ["another amount", { ...paid, moves: [{ ...move, amountBase: 99n }] }],
    ["the amount twice", { ...paid, moves: [move, move] }],
    ["another recipient", { ...paid, moves: [{ ...move, recipient: "0xother" }] }],
    ["another token", { ...paid, moves: [{ ...move, token: null }] }],
    ["nothing", { ...paid, moves: [] }],
    ["something although it failed", { ...failed, moves: [move] }],
  ])("is a contradiction where a final transaction moved %s", (_, end) => {
    expect(judgeReports(attempt("sent"), [{ kind: "final", ...end }], { configured: 1, toPay: 1 })).toEqual({
      next: "wait",
      for: "contradiction",
    });
  });

  it.each<[string, Partial<LapsingEnd>]>([
    ["height", { height: 16 }],
    ["block", { blockHash: "0xother" }],
    ["fee", { fee: { token: "0xusd", amountBase: 2n } }],
    ["token of the fee", { fee: { token: null, amountBase: 1n } }],
  ])("is a contradiction where two nodes name another %s", (_, other) => {
    const reports: LapsingReport[] = [REPORTS.paid, { ...REPORTS.paid, ...other } as LapsingReport];
    expect(judgeReports(attempt("sent"), reports, { configured: 2, toPay: 1 })).toEqual({ next: "wait", for: "contradiction" });
  });
});
