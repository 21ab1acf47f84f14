import { z } from "zod";
import { instantOrNull, plainText } from "#contract/primitives.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import { MOST_PARTS, PAYMENT_COLUMNS, type PaymentColumn } from "#domain/payment-file.ts";
import { tenantOf } from "#server/console/trpc/init.ts";
import { recordExport } from "#server/services/audit/record-export.ts";
import { listItemsOf } from "#server/services/settlements/batches/list-pending-batches.ts";
import { readBatches } from "#server/services/settlements/batches/read-batch.ts";
import type { BrowsedSettlement } from "#server/services/settlements/browse-settlements.ts";
import { type CsvContext, type CsvFile, linesOf } from "./csv-file.ts";

const RESULTS = ["status", "destination_amount", "platform_fee", "tx_id", "tx_hash", "executed_at", "failure_reason", "metadata"] as const;

const batchExport = z.strictObject({
  batch_ids: z.array(plainText(1, 64)).min(1).max(MOST_PARTS),
});

/** The items of those batches with their results, in the order in which they were sent: the rows of an uploaded file. */
export async function batchesFile({ services, holder, by }: CsvContext, input: unknown): Promise<CsvFile> {
  const { batch_ids: ids } = batchExport.parse(input);
  const { partnerId } = tenantOf(holder);
  const batches = await readBatches(services, ids, partnerId);
  const owner = holder.partnerId ?? batches[0]?.partnerId ?? null;
  await recordExport(services, { by, what: "batches", partnerId: owner, change: { batch_ids: ids } });
  const items = async function* () {
    for (const { id } of batches) yield await listItemsOf(services, id, partnerId);
  };
  const count = batches.reduce((sum, { itemCount }) => sum + itemCount, 0);
  return { name: "batch", columns: [...PAYMENT_COLUMNS, ...RESULTS], count, lines: linesOf(items(), cellsOf) };
}

function cellsOf({ settlement }: BrowsedSettlement): string[] {
  const { quote, tokenDecimals } = settlement;
  const sent: Record<PaymentColumn, string> = {
    external_tx_id: settlement.externalTxId ?? "",
    external_merchant_id: settlement.externalMerchantId,
    amount: fiatAmount(settlement.sourceAmountMinor, settlement.sourceCurrency),
    source_currency: settlement.sourceCurrency,
    destination_currency: settlement.destinationCurrency,
    chain: settlement.chain,
    wallet_address: settlement.walletAddress,
  };
  const result: Record<(typeof RESULTS)[number], string> = {
    status: settlement.status,
    destination_amount: tokenAmount(quote.destinationAmountBase, tokenDecimals),
    platform_fee: tokenAmount(quote.platformFeeBase, tokenDecimals),
    tx_id: settlement.id,
    tx_hash: settlement.txHash ?? "",
    executed_at: instantOrNull(settlement.executedAt) ?? "",
    failure_reason: settlement.failureReason ?? "",
    metadata: settlement.metadata === null ? "" : JSON.stringify(settlement.metadata),
  };
  return [...PAYMENT_COLUMNS.map((column) => sent[column]), ...RESULTS.map((column) => result[column])];
}
