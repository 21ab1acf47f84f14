import { instant, instantOrNull } from "#contract/primitives.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { fiatAmount } from "#domain/money.ts";
import { type BatchTotal, destinationTotals, type TalliedBatch } from "#domain/settlement-batch.ts";

/** Amounts are exact decimals as texts, in units of their currencies. */
export function renderTotals(totals: readonly BatchTotal[]) {
  return totals.map((total) => ({
    source_currency: total.sourceCurrency,
    source_amount: fiatAmount(total.sourceAmountMinor, total.sourceCurrency),
    destination_currency: total.destinationCurrency,
    destination_amount: formatDecimal(total.destinationAmount),
    platform_fee: formatDecimal(total.platformFee),
  }));
}

/** Net amounts by destination currency: what a decision on a batch names as seen. */
export function renderExpectedTotal(totals: readonly BatchTotal[]): Record<string, string> {
  return Object.fromEntries([...destinationTotals(totals)].map(([currency, amount]) => [currency, formatDecimal(amount)] as const));
}

/** A batch as lists show it. */
export function renderBatchRow(batch: TalliedBatch) {
  return {
    batch_id: batch.id,
    external_batch_id: batch.externalBatchId,
    partner_id: batch.partnerId,
    status: batch.status,
    approval_state: batch.approvalState,
    item_count: batch.itemCount,
    counts: batch.counts,
    totals: renderTotals(batch.totals),
    expected_total: renderExpectedTotal(batch.totals),
    expires_at: instant(batch.expiresAt),
    created_at: instant(batch.createdAt),
    confirmed_at: instantOrNull(batch.confirmedAt),
    completed_at: instantOrNull(batch.completedAt),
  };
}
