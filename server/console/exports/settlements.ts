import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import type { Settlement } from "#domain/settlement.ts";
import { EXPORT_COLUMNS, type ExportColumn } from "#domain/settlement-view.ts";
import { isoIn, isZone } from "#domain/zoned-time.ts";
import { readFilter, settlementFilter } from "#server/console/settlement-filter.ts";
import type { BrowsedSettlement } from "#server/services/settlements/browse-settlements.ts";
import { exportSettlements } from "#server/services/settlements/export-settlements.ts";
import { type CsvContext, type CsvFile, linesOf, rememberable } from "./csv-file.ts";

const amount = ({ tokenDecimals }: Settlement, base: bigint) => tokenAmount(base, tokenDecimals);
const time = (at: Date | null, zone: string) => (at === null ? "" : isoIn(zone, at));

/** The file's columns in their order: wire names, amounts as exact decimals in units of their currencies. */
const CELLS: Record<ExportColumn, (row: BrowsedSettlement, zone: string) => string> = {
  tx_id: ({ settlement }) => settlement.id,
  status: ({ settlement }) => settlement.status,
  approval_state: ({ settlement }) => settlement.approvalState ?? "",
  partner: ({ partner }) => partner.name,
  external_merchant_id: ({ settlement }) => settlement.externalMerchantId,
  external_tx_id: ({ settlement }) => settlement.externalTxId ?? "",
  source_amount: ({ settlement }) => fiatAmount(settlement.sourceAmountMinor, settlement.sourceCurrency),
  source_currency: ({ settlement }) => settlement.sourceCurrency,
  exchange_rate: ({ settlement }) => formatDecimal(settlement.quote.exchangeRate),
  gross_amount: ({ settlement }) => amount(settlement, settlement.quote.grossBase),
  platform_fee: ({ settlement }) => amount(settlement, settlement.quote.platformFeeBase),
  destination_amount: ({ settlement }) => amount(settlement, settlement.quote.destinationAmountBase),
  destination_currency: ({ settlement }) => settlement.destinationCurrency,
  chain: ({ settlement }) => settlement.chain,
  wallet_address: ({ settlement }) => settlement.walletAddress,
  tx_hash: ({ settlement }) => settlement.txHash ?? "",
  created_at: ({ settlement }, zone) => time(settlement.createdAt, zone),
  expires_at: ({ settlement }, zone) => time(settlement.quote.expiresAt, zone),
  executed_at: ({ settlement }, zone) => time(settlement.executedAt, zone),
  failure_reason: ({ settlement }) => settlement.failureReason ?? "",
  rejection_reason: ({ settlement }) => settlement.rejectionReason ?? "",
  metadata: ({ settlement }) => (settlement.metadata === null ? "" : JSON.stringify(settlement.metadata)),
  callbacks: ({ callbacks }) =>
    callbacks.undelivered > 0 ? "undelivered" : callbacks.pending > 0 ? "pending" : callbacks.delivered > 0 ? "delivered" : "",
};

/** The `input` of an export in the URL, as JSON: the list's filter, and the file's format. */
const settlementExport = z.strictObject({
  filter: settlementFilter,
  /** Only these of those that the asker may see. */
  tx_ids: z.array(plainText(1, 64)).min(1).max(100).optional(),
  columns: z.array(z.enum(EXPORT_COLUMNS)).min(1).max(EXPORT_COLUMNS.length),
  zone: z.string().max(64).refine(isZone, { error: "is no time zone" }).default("UTC"),
  /** A byte order mark at the beginning, which some spreadsheets need. */
  bom: z.boolean().default(false),
});

/** The settlements that a list shows. */
export async function settlementsFile({ services, holder, by }: CsvContext, input: unknown): Promise<CsvFile> {
  const { filter, tx_ids: ids, columns, zone, bom } = settlementExport.parse(input);
  const { count, batches } = await exportSettlements(services, {
    by,
    filter: { ...readFilter(filter, holder), ...(ids && { ids }) },
    asked: { filter: rememberable(filter), ...(ids && { tx_ids: ids }), columns, zone },
  });
  return { name: "settlements", columns, bom, count, lines: linesOf(batches, (row) => settlementCells(row, columns, zone)) };
}

export function settlementCells(row: BrowsedSettlement, columns: readonly ExportColumn[], zone: string): string[] {
  return columns.map((column) => CELLS[column](row, zone));
}
