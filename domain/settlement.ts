import type { Metadata } from "./metadata.ts";
import type { AgreedPrice, Price } from "./quote.ts";
import type { Waiting } from "./transfer.ts";

/** Specification, part 3. The value set never changes. */
export const SETTLEMENT_STATUSES = ["quoted", "processing", "executed", "failed", "cancelled"] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/** Specification, part 2: null for ordinary settlements. */
export const APPROVAL_STATES = ["pending", "approved", "rejected"] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/**
 * A priced offer, in destination units per one major unit of the source currency. Amounts are integers in the token's base units and always add up: `gross = destinationAmount + platformFee`.
 * A settlement has version 1 from its creation, and a new one with an approval. An item of a batch has one with each requote, too.
 */
export type Quote = AgreedPrice &
  Price & {
    version: number;
    pricedAt: Date;
    /** From this instant on the quote is no longer valid. */
    expiresAt: Date;
  };

/** The settlement (specification, part 2), with the quote in force. */
export type Settlement = {
  id: string;
  partnerId: string;
  /** The API key that created it: its secret signs the callbacks. */
  apiKeyId: string;
  /** Its batch; null: it is on its own. */
  batchId: string | null;
  status: SettlementStatus;
  approvalState: ApprovalState | null;
  externalTxId: string | null;
  externalMerchantId: string;
  sourceAmountMinor: bigint;
  sourceCurrency: string;
  destinationCurrency: string;
  chain: string;
  walletAddress: string;
  /** null: the chain's native coin. */
  tokenAddress: string | null;
  tokenDecimals: number;
  quote: Quote;
  /** Given at creation: receives the approval callback. */
  creationCallbackUrl: string | null;
  /** Given at confirmation (or inherited from creation): receives the terminal callback. */
  callbackUrl: string | null;
  /** The `traceparent` of its creation; null: it was not traced. */
  trace: string | null;
  /** The partner's own notes; null: none. */
  metadata: Metadata | null;
  createdAt: Date;
  confirmedAt: Date | null;
  cancelledAt: Date | null;
  approvalDecidedAt: Date | null;
  rejectionReason: string | null;
  txHash: string | null;
  executedAt: Date | null;
  failureReason: string | null;
  /** null: it has not failed, or the version before ended it. */
  failedAt: Date | null;
};

/** When it last changed, and was priced again: nothing else about it moves. */
export function updatedAtOf({ quote, createdAt, ...settlement }: Settlement): Date {
  const { confirmedAt, cancelledAt, approvalDecidedAt, executedAt, failedAt } = settlement;
  const changes = [createdAt, quote.pricedAt, confirmedAt, cancelledAt, approvalDecidedAt, executedAt, failedAt];
  return new Date(Math.max(...changes.map((at) => at?.getTime() ?? 0)));
}

/** Related data of a settlement: why its payment makes no progress, and its undelivered callbacks. */
export type SettlementAsShown = { settlement: Settlement; waiting: Waiting | null; hasUndelivered: boolean };
