import { Refusal } from "./refusal.ts";
import type { ApprovalState, Quote, Settlement, SettlementStatus } from "./settlement.ts";

/**
 * The life of a settlement (specification, part 3; contract, part 2) as one table. `advance` obeys it, the exhaustive test
 * walks it, the database's check lists what it reaches, `docs/lifecycle.md` is generated from it. Status changes nowhere else.
 */
export const LIFECYCLE = {
  approve: { from: "quoted", approval: ["pending"], to: "quoted", approvalBecomes: "approved", callback: "settlement.approved" },
  reject: { from: "quoted", approval: ["pending"], to: "cancelled", approvalBecomes: "rejected", callback: null },
  confirm: { from: "quoted", approval: [null, "approved"], to: "processing", approvalBecomes: "unchanged", callback: null },
  cancel: { from: "quoted", approval: [null, "pending", "approved"], to: "cancelled", approvalBecomes: "unchanged", callback: null },
  execute: {
    from: "processing",
    approval: [null, "approved"],
    to: "executed",
    approvalBecomes: "unchanged",
    callback: "settlement.executed",
  },
  fail: { from: "processing", approval: [null, "approved"], to: "failed", approvalBecomes: "unchanged", callback: "settlement.failed" },
} as const satisfies Record<string, LifecycleRow>;

export type LifecycleRow = {
  from: SettlementStatus;
  approval: readonly (ApprovalState | null)[];
  to: SettlementStatus;
  approvalBecomes: ApprovalState | "unchanged";
  /** The event that is called back when the row happens; the approval event only where a URL was given at creation. */
  callback: SettlementEvent | null;
};

export const SETTLEMENT_EVENTS = ["settlement.approved", "settlement.executed", "settlement.failed"] as const;
export type SettlementEvent = (typeof SETTLEMENT_EVENTS)[number];

/** What happens to a settlement, with what it brings along. */
export type Action =
  | { type: "approve"; quote: Quote }
  | { type: "reject"; reason: string }
  /** Without a URL only an item of a batch, which has its own. */
  | { type: "confirm"; externalTxId: string; callbackUrl: string | null }
  | { type: "cancel" }
  | { type: "execute"; txHash: string }
  | { type: "fail"; reason: string };

export type ActionType = Action["type"];
export const ACTION_TYPES = ["approve", "reject", "confirm", "cancel", "execute", "fail"] as const satisfies readonly ActionType[];

/**
 * Checks that `action` is allowed on the settlement at the instant `now`.
 *
 * @throws Refusal `invalid_state` (with `settlement_status`) where the table has no such row, `approval_pending` for a confirm before the
 * decision (even if the quote has expired), `quote_expired` for a confirm at or after `expiresAt`.
 */
export function judge(settlement: Settlement, action: ActionType, now: Date): void {
  const row: LifecycleRow = LIFECYCLE[action];
  if (settlement.status !== row.from) throw wrongState(settlement);
  if (!row.approval.includes(settlement.approvalState)) {
    if (action === "confirm" && settlement.approvalState === "pending") {
      throw new Refusal("approval_pending", { detail: "The settlement awaits an admin's decision." });
    }
    throw wrongState(settlement);
  }
  if (action === "confirm") refuseExpired(settlement, now);
}

/** The settlement after `action` at the instant `now`. @throws Refusal as {@link judge}. */
export function advance(settlement: Settlement, action: Action, now: Date): Settlement {
  judge(settlement, action.type, now);
  const row: LifecycleRow = LIFECYCLE[action.type];
  const moved: Settlement = {
    ...settlement,
    status: row.to,
    approvalState: row.approvalBecomes === "unchanged" ? settlement.approvalState : row.approvalBecomes,
  };
  return bring(moved, action, now);
}

/** True from the instant `expiresAt` on (contract, part 2). Expiry depends on the clock; it is never a status. */
export function quoteHasLapsed(settlement: Settlement, now: Date): boolean {
  return now.getTime() >= settlement.quote.expiresAt.getTime();
}

/** Whether the table allows the action on such a settlement, regardless of the clock. The console's buttons use this. */
export function allows(settlement: Pick<Settlement, "status" | "approvalState">, action: ActionType): boolean {
  const row: LifecycleRow = LIFECYCLE[action];
  return settlement.status === row.from && row.approval.includes(settlement.approvalState);
}

/** A status together with an approval state: what the table moves between. */
export type LifecycleState = { status: SettlementStatus; approvalState: ApprovalState | null };

/** A settlement is created in one of these: ordinary, or above the pair's maximum. */
export const INITIAL_STATES: readonly LifecycleState[] = [
  { status: "quoted", approvalState: null },
  { status: "quoted", approvalState: "pending" },
];

/** Every step that the table allows from the initial states on, breadth first, and so with every state that is legal at all. */
export function listSteps(): { from: LifecycleState; action: ActionType; to: LifecycleState }[] {
  const steps: ReturnType<typeof listSteps> = [];
  const reached = [...INITIAL_STATES];
  for (const from of reached) {
    for (const action of ACTION_TYPES.filter((each) => allows(from, each))) {
      const row: LifecycleRow = LIFECYCLE[action];
      const to = { status: row.to, approvalState: row.approvalBecomes === "unchanged" ? from.approvalState : row.approvalBecomes };
      steps.push({ from, action, to });
      if (!reached.some((known) => known.status === to.status && known.approvalState === to.approvalState)) reached.push(to);
    }
  }
  return steps;
}

function bring(settlement: Settlement, action: Action, now: Date): Settlement {
  switch (action.type) {
    case "approve":
      return { ...settlement, quote: action.quote, approvalDecidedAt: now };
    case "reject":
      return { ...settlement, rejectionReason: action.reason, approvalDecidedAt: now, cancelledAt: now };
    case "confirm":
      return { ...settlement, externalTxId: action.externalTxId, callbackUrl: action.callbackUrl, confirmedAt: now };
    case "cancel":
      return { ...settlement, cancelledAt: now };
    case "execute":
      return { ...settlement, txHash: action.txHash, executedAt: now };
    case "fail":
      return { ...settlement, failureReason: action.reason, failedAt: now };
  }
}

function refuseExpired(settlement: Settlement, now: Date): void {
  if (!quoteHasLapsed(settlement, now)) return;
  throw new Refusal("quote_expired", {
    detail: "The quote has expired. Create a new settlement.",
    members: { expired_at: settlement.quote.expiresAt.toISOString(), server_time: now.toISOString() },
  });
}

function wrongState(settlement: Settlement): Refusal {
  return new Refusal("invalid_state", {
    detail: `The settlement is ${settlement.status}.`,
    members: { settlement_status: settlement.status },
  });
}
