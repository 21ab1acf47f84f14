import { expect, test } from "vitest";
import { type Action, isLinearizable, type Operation, type Said, type State } from "./linearizable.ts";

const QUOTED: State = { status: "quoted", approval: null, reference: null };
const PENDING: State = { ...QUOTED, approval: "pending" };
const op = (from: number, to: number, action: Action, said: Said): Operation => ({ action, said, from, to });
const is = (status: string, reference: string | null = null, approval: string | null = null): Said => ({ status, approval, reference });
const confirm = (reference: string): Action => ({ type: "confirm", reference });
const [cancel, read, approve, reject]: [Action, Action, Action, Action] = [
  { type: "cancel" },
  { type: "read" },
  { type: "approve" },
  { type: "reject" },
];
const refused = (code: string): Said => ({ refused: code });

const LEGAL: readonly [string, State, Operation[]][] = [
  [
    "one confirms, the other comes too late",
    QUOTED,
    [op(0, 5, confirm("a"), is("processing", "a")), op(1, 6, cancel, refused("invalid_state"))],
  ],
  ["the one that began later wins", QUOTED, [op(0, 9, confirm("a"), refused("invalid_state")), op(1, 6, cancel, is("cancelled"))]],
  [
    "a repeat learns that it was executed meanwhile",
    QUOTED,
    [op(0, 1, confirm("a"), is("processing", "a")), op(2, 3, confirm("a"), is("executed", "a"))],
  ],
  ["nobody was answered, and it happened", QUOTED, [op(0, 1, confirm("a"), null), op(2, 3, read, is("executed", "a"))]],
  ["nobody was answered, and it did not happen", QUOTED, [op(0, 1, confirm("a"), null), op(2, 3, read, is("quoted"))]],
  ["what was not answered happens late", QUOTED, [op(0, 1, cancel, null), op(2, 3, read, is("quoted")), op(4, 5, read, is("cancelled"))]],
  [
    "approved, then confirmed",
    PENDING,
    [
      op(0, 3, confirm("a"), refused("approval_pending")),
      op(1, 4, approve, is("quoted", null, "approved")),
      op(5, 6, confirm("a"), is("processing", "a", "approved")),
    ],
  ],
];
const ILLEGAL: readonly [string, State, Operation[]][] = [
  ["two who both confirm", QUOTED, [op(0, 5, confirm("a"), is("processing", "a")), op(0, 5, confirm("b"), is("processing", "b"))]],
  ["a confirmation and a cancellation", QUOTED, [op(0, 5, confirm("a"), is("processing", "a")), op(0, 5, cancel, is("cancelled"))]],
  ["an old answer after a new one", QUOTED, [op(0, 1, cancel, is("cancelled")), op(2, 3, read, is("quoted"))]],
  [
    "a refusal before there is a reason for it",
    QUOTED,
    [op(0, 1, cancel, refused("invalid_state")), op(2, 3, confirm("a"), is("processing", "a"))],
  ],
  ["an end that goes back", QUOTED, [op(0, 1, confirm("a"), is("executed", "a")), op(2, 3, read, is("processing", "a"))]],
  ["two decisions", PENDING, [op(0, 5, approve, is("quoted", null, "approved")), op(0, 5, reject, is("cancelled", null, "rejected"))]],
  ["a confirmation that nobody approved", PENDING, [op(0, 5, confirm("a"), is("processing", "a", "pending"))]],
  ["something done by nobody", QUOTED, [op(0, 1, read, is("cancelled"))]],
];

test.each(LEGAL)("legal: %s", (_, initial, history) => {
  expect(isLinearizable(history, initial)).toBe(true);
});
test.each(ILLEGAL)("not legal: %s", (_, initial, history) => {
  expect(isLinearizable(history, initial)).toBe(false);
});
