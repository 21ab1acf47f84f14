import { APPROVAL_STATES, type ApprovalState, type SettlementStatus } from "./settlement.ts";

/**
 * What people are shown in place of the bare status: the wire's two fields and the clock in one word. Only for eyes; the value sets of
 * the wire never change (specification, part 2), and a lapsed quote is still `quoted`.
 */
export const SETTLEMENT_VIEWS = [
  "quoted",
  "awaiting_approval",
  "approved",
  "lapsed",
  "processing",
  "executed",
  "failed",
  "cancelled",
  "rejected",
] as const;
export type SettlementView = (typeof SETTLEMENT_VIEWS)[number];

/** What a list may be narrowed to; `none`: those that never needed a decision. */
export const APPROVAL_CHOICES = ["none", ...APPROVAL_STATES] as const;
export type ApprovalChoice = (typeof APPROVAL_CHOICES)[number];

type Seen = { status: SettlementStatus; approvalState: ApprovalState | null; expiresAtMs: number };

/** At the very instant of its expiry a quote has lapsed. One that awaits approval awaits it all the same: approving re-prices. */
export function viewOf({ status, approvalState, expiresAtMs }: Seen, nowMs: number): SettlementView {
  if (status === "cancelled") return approvalState === "rejected" ? "rejected" : "cancelled";
  if (status !== "quoted") return status;
  if (approvalState === "pending") return "awaiting_approval";
  if (nowMs >= expiresAtMs) return "lapsed";
  return approvalState === "approved" ? "approved" : "quoted";
}
