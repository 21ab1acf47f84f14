import { add, type Decimal } from "./decimal.ts";
import type { Metadata } from "./metadata.ts";
import { baseToDecimal, fitsWrittenDigits } from "./money.ts";
import { type ApprovalState, SETTLEMENT_STATUSES, type Settlement, type SettlementStatus } from "./settlement.ts";

/** Contract, part 11. `completed`: every item has ended. */
export const BATCH_STATUSES = ["quoted", "processing", "completed", "cancelled"] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Settlements that are made, confirmed and decided together. */
export type SettlementBatch = {
  id: string;
  partnerId: string;
  /** The API key that created it: its secret signs the callback. */
  apiKeyId: string;
  externalBatchId: string;
  /** SHA-256 of the body that made it, hex. */
  bodySha256: string;
  status: BatchStatus;
  itemCount: number;
  callbackUrl: string | null;
  trace: string | null;
  /** The partner's own notes; null: none. */
  metadata: Metadata | null;
  createdAt: Date;
  confirmedAt: Date | null;
  cancelledAt: Date | null;
  completedAt: Date | null;
};

/** What the items of a pair of currencies come to. */
export type BatchTotal = {
  sourceCurrency: string;
  sourceAmountMinor: bigint;
  destinationCurrency: string;
  destinationAmount: Decimal;
  platformFee: Decimal;
};

/** What the items say together. */
export type BatchTally = {
  /** All items have the same. */
  approvalState: ApprovalState | null;
  counts: Record<SettlementStatus, number>;
  totals: BatchTotal[];
  /** The earliest of the items'. */
  expiresAt: Date;
};

export type TalliedBatch = SettlementBatch & BatchTally;

/** Items of one kind, or one item: what a tally is made of. */
export type BatchShare = {
  approvalState: ApprovalState | null;
  expiresAt: Date;
  counts: Partial<Record<SettlementStatus, number>>;
  sourceCurrency: string;
  destinationCurrency: string;
  tokenDecimals: number;
  sourceAmountMinor: bigint;
  destinationAmountBase: bigint;
  platformFeeBase: bigint;
};

/** The share of one item. */
export function shareOf({ status, approvalState, quote, ...item }: Settlement): BatchShare {
  const { sourceCurrency, destinationCurrency, tokenDecimals, sourceAmountMinor } = item;
  const { expiresAt, destinationAmountBase, platformFeeBase } = quote;
  const amounts = { sourceAmountMinor, destinationAmountBase, platformFeeBase };
  return { approvalState, expiresAt, counts: { [status]: 1 }, sourceCurrency, destinationCurrency, tokenDecimals, ...amounts };
}

/** A token may have other decimals on another chain, so its amounts are added up as decimals. */
export function tallyOf(shares: readonly BatchShare[]): BatchTally {
  const counts = { quoted: 0, processing: 0, executed: 0, failed: 0, cancelled: 0 };
  const totals = new Map<string, BatchTotal>();
  for (const share of shares) {
    for (const status of SETTLEMENT_STATUSES) counts[status] += share.counts[status] ?? 0;
    const { sourceCurrency, destinationCurrency, tokenDecimals } = share;
    const key = `${sourceCurrency} ${destinationCurrency}`;
    const before = totals.get(key) ?? { sourceAmountMinor: 0n, destinationAmount: ZERO, platformFee: ZERO };
    totals.set(key, {
      sourceCurrency,
      sourceAmountMinor: before.sourceAmountMinor + share.sourceAmountMinor,
      destinationCurrency,
      destinationAmount: add(before.destinationAmount, baseToDecimal(share.destinationAmountBase, tokenDecimals)),
      platformFee: add(before.platformFee, baseToDecimal(share.platformFeeBase, tokenDecimals)),
    });
  }
  const sorted = [...totals].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, total]) => total);
  const expiresAt = new Date(Math.min(...shares.map((share) => share.expiresAt.getTime())));
  return { approvalState: shares[0]?.approvalState ?? null, counts, totals: sorted, expiresAt };
}

const ZERO: Decimal = { coefficient: 0n, scale: 0 };

/** Net amounts by destination currency, of all pairs together. */
export function destinationTotals(totals: readonly Pick<BatchTotal, "destinationCurrency" | "destinationAmount">[]): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { destinationCurrency, destinationAmount } of totals) {
    sums.set(destinationCurrency, add(sums.get(destinationCurrency) ?? ZERO, destinationAmount));
  }
  return sums;
}

/** Whether every sum can be written exactly (contract, part 1). */
export function areTotalsPublishable(totals: readonly BatchTotal[]): boolean {
  const amounts = [...destinationTotals(totals).values(), ...totals.map(({ platformFee }) => platformFee)];
  return totals.every(({ sourceAmountMinor }) => sourceAmountMinor <= MOST_MINOR) && amounts.every(fitsWrittenDigits);
}

const MOST_MINOR = BigInt(Number.MAX_SAFE_INTEGER);
