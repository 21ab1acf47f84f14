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

/** What of the list's address a saved view keeps: filters and columns; never a place in the list, a search or a row. */
export const VIEW_PARAMS = [
  ...["view", "approval", "lapsed", "partner", "source", "destination", "chain", "merchant", "callbacks", "amount_from", "amount_to"],
  ...["from", "to", "executed_from", "executed_to", "failure", "processing", "failed", "mine", "columns"],
] as const;
export type ViewParams = Partial<Record<(typeof VIEW_PARAMS)[number], string>>;

/** The columns that a file of settlements may have, in their order: wire names. */
export const EXPORT_COLUMNS = [
  ...["tx_id", "status", "approval_state", "partner", "external_merchant_id", "external_tx_id", "source_amount", "source_currency"],
  ...["exchange_rate", "gross_amount", "platform_fee", "destination_amount", "destination_currency", "chain", "wallet_address"],
  ...["tx_hash", "created_at", "expires_at", "executed_at", "failure_reason", "rejection_reason", "callbacks"],
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

type Seen = { status: SettlementStatus; approvalState: ApprovalState | null; expiresAtMs: number };

/** At the very instant of its expiry a quote has lapsed. One that awaits approval awaits it all the same: approving re-prices. */
export function viewOf({ status, approvalState, expiresAtMs }: Seen, nowMs: number): SettlementView {
  if (status === "cancelled") return approvalState === "rejected" ? "rejected" : "cancelled";
  if (status !== "quoted") return status;
  if (approvalState === "pending") return "awaiting_approval";
  if (nowMs >= expiresAtMs) return "lapsed";
  return approvalState === "approved" ? "approved" : "quoted";
}
