import { transactionKey } from "./address-key.ts";
import { APPROVAL_STATES, type ApprovalState, type SettlementStatus } from "./settlement.ts";

/**
 * The console's display of a status: the wire's two fields and the clock in one word. Only for people; the values on the wire never change
 * (specification, part 2), and an expired quote is still `quoted`.
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

/** The part of the list's URL that a saved view keeps: filters and columns, but no position, search or selected row. */
export const VIEW_PARAMS = [
  "view",
  "approval",
  "lapsed",
  "partner",
  "source",
  "destination",
  "chain",
  "merchant",
  "callbacks",
  "amount_from",
  "amount_to",
  "from",
  "to",
  "executed_from",
  "executed_to",
  "failure",
  "processing",
  "failed",
  "mine",
  "columns",
] as const;
export type ViewParams = Partial<Record<(typeof VIEW_PARAMS)[number], string>>;

/** The columns that a file of settlements may have, in their order: wire names. */
export const EXPORT_COLUMNS = [
  "tx_id",
  "status",
  "approval_state",
  "partner",
  "external_merchant_id",
  "external_tx_id",
  "source_amount",
  "source_currency",
  "exchange_rate",
  "gross_amount",
  "platform_fee",
  "destination_amount",
  "destination_currency",
  "chain",
  "wallet_address",
  "tx_hash",
  "created_at",
  "expires_at",
  "executed_at",
  "failure_reason",
  "rejection_reason",
  "metadata",
  "callbacks",
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

type Seen = { status: SettlementStatus; approvalState: ApprovalState | null; expiresAtMs: number };

/** At the instant of its expiry a quote has lapsed. One that waits for approval still waits: approving prices it again. */
export function viewOf({ status, approvalState, expiresAtMs }: Seen, nowMs: number): SettlementView {
  if (status === "cancelled") return approvalState === "rejected" ? "rejected" : "cancelled";
  if (status !== "quoted") return status;
  if (approvalState === "pending") return "awaiting_approval";
  if (nowMs >= expiresAtMs) return "lapsed";
  return approvalState === "approved" ? "approved" : "quoted";
}

/** What a pasted text may be looked up as. */
export type ClueKind = "tx_id" | "tx_hash" | "wallet" | "external_id" | "merchant";

export type Recognised = {
  /** The kind of search to try first, by the form of the text. */
  kind: ClueKind;
  text: string;
};

const TX_ID = /tx_[0-9a-z]{26}/i;
/** EVM's and Tron's hashes, and Solana's signatures. */
const HASH = /(?:0x)?[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{86,88}/i;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const CAIP_10 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:([-.%a-zA-Z0-9]{1,128})$/;
/** Base58 and bech32 addresses. Many a reference looks so too: then the reference is tried next. */
const OTHER_ADDRESS = /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|T[1-9A-HJ-NP-Za-km-z]{33}|(?:bc1|tb1)[0-9a-z]{20,87})$/;

/** What a text that somebody pasted probably is; also out of a link to an explorer. Null: nothing to look for. */
export function recognise(pasted: string): Recognised | null {
  const text = pasted.trim();
  if (text === "") return null;
  const txId = TX_ID.exec(text)?.[0];
  if (txId !== undefined && (txId.length === text.length || text.includes("/"))) return { kind: "tx_id", text: txId.toLowerCase() };
  const hash = HASH.exec(text)?.[0];
  if (hash !== undefined && (hash.length === text.length || text.includes("/"))) return { kind: "tx_hash", text: transactionKey(hash) };
  const account = CAIP_10.exec(text)?.[1];
  if (account !== undefined) return { kind: "wallet", text: account };
  if (EVM_ADDRESS.test(text)) return { kind: "wallet", text };
  const linked = /\/(?:address|account)\/([^/?#]+)/.exec(text)?.[1];
  if (linked !== undefined) return { kind: "wallet", text: linked };
  return { kind: OTHER_ADDRESS.test(text) ? "wallet" : "external_id", text };
}
