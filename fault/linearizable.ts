/**
 * Whether the answers of many clients about one settlement are linearizable: the search of Wing and Gong over the lifecycle, which is
 * modelled here a second time, from the specification.
 */

export type Action =
  | { type: "confirm"; reference: string }
  | { type: "cancel" }
  | { type: "approve" }
  | { type: "reject" }
  | { type: "read" };

/** The answer: the settlement at that time, or a refusal. Null: none, or 503; it may have taken effect at any time since. */
export type Said = { status: string; approval: string | null; reference: string | null } | { refused: string } | null;

export type Operation = { action: Action; said: Said; from: number; to: number };

export type State = {
  status: "quoted" | "processing" | "executed" | "cancelled";
  approval: "pending" | "approved" | "rejected" | null;
  reference: string | null;
};

/** What the action does to the settlement, and what may be said of it. */
function happen(state: State, action: Action): { state: State; refused: string | null } {
  const refuse = (refused: string) => ({ state, refused });
  const become = (change: Partial<State>) => ({ state: { ...state, ...change }, refused: null });
  const isUndecided = state.status === "quoted" && state.approval === "pending";
  switch (action.type) {
    case "read":
      return become({});
    case "approve":
      return isUndecided ? become({ approval: "approved" }) : refuse("invalid_state");
    case "reject":
      return isUndecided ? become({ approval: "rejected", status: "cancelled" }) : refuse("invalid_state");
    case "cancel":
      return state.status === "quoted" || state.status === "cancelled" ? become({ status: "cancelled" }) : refuse("invalid_state");
    case "confirm":
      if (state.reference !== null) return state.reference === action.reference ? become({}) : refuse("external_tx_id_conflict");
      if (state.status !== "quoted") return refuse("invalid_state");
      if (state.approval === "pending") return refuse("approval_pending");
      return become({ status: "processing", reference: action.reference });
  }
}

function fits(said: Said, { state, refused }: ReturnType<typeof happen>): boolean {
  if (said === null) return true;
  if ("refused" in said) return said.refused === refused;
  return refused === null && said.status === state.status && said.approval === state.approval && said.reference === state.reference;
}

/** The only thing that happens by itself. */
const executed = (state: State): State => ({ ...state, status: "executed" });

/** True when there is an order of the operations, each somewhere between its begin and its end, in which all that was said is right. */
export function isLinearizable(operations: readonly Operation[], initial: State): boolean {
  const seen = new Set<string>();
  const search = (left: ReadonlySet<number>, state: State): boolean => {
    const open = [...left].map((index) => ({ index, one: operations[index] as Operation }));
    if (open.every(({ one }) => one.said === null)) return true;
    const key = `${[...left].join(",")} ${state.status} ${state.approval} ${state.reference}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (state.status === "processing" && search(left, executed(state))) return true;
    // Anyone who begins after another has ended comes after it; what was never answered has never ended.
    const end = Math.min(...open.map(({ one }) => (one.said === null ? Number.POSITIVE_INFINITY : one.to)));
    return open
      .filter(({ one }) => one.from <= end)
      .some(({ index, one }) => {
        const next = happen(state, one.action);
        return fits(one.said, next) && search(without(left, index), next.state);
      });
  };
  return search(new Set(operations.keys()), initial);
}

function without(set: ReadonlySet<number>, one: number): ReadonlySet<number> {
  const rest = new Set(set);
  rest.delete(one);
  return rest;
}
