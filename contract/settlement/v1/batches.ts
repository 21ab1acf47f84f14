import { z } from "zod";
import { jsonDecimal } from "#contract/json-number.ts";
import { metadata, metadataShown, renderMetadata } from "#contract/metadata.ts";
import {
  callbackUrl,
  EXACT,
  exactAmount,
  instant,
  type Numbers,
  plainText,
  reference,
  timestamp,
  wholeNumber,
} from "#contract/primitives.ts";
import { createdAt, cryptoShown, fiatShown } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import { MOST_ITEMS } from "#domain/batch-size.ts";
import { APPROVAL_STATES, type SETTLEMENT_STATUSES, type Settlement } from "#domain/settlement.ts";
import {
  BATCH_STATUSES,
  type BatchTally,
  type BatchTotal,
  type SettlementBatch,
  shareOf,
  type TalliedBatch,
  tallyOf,
} from "#domain/settlement-batch.ts";
import { createBody } from "./requests.ts";
import { renderSettlement, settlementSchema } from "./settlement.ts";

/** Batches on the wire (contract, part 11). */

export const batchId = z.string().describe("The batch's id. It begins with ba_");
const externalBatchId = reference.describe("Your own id for the batch, unique among your batches");
const itemReference = reference.describe("Your own reference for this payment, unique among your settlements");

export const batchItem = createBody.extend({ external_tx_id: itemReference });
const estimatedItem = createBody.extend({ external_tx_id: itemReference.optional() });
/** An item as it was sent. */
export type SentItem = z.output<typeof estimatedItem>;
const many = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1).max(MOST_ITEMS).describe(`1 to ${MOST_ITEMS} settlements. Each item has the fields of a create`);

export const createBatchBody = z.strictObject({
  external_batch_id: externalBatchId,
  items: many(batchItem),
  callback_url: callbackUrl
    .optional()
    .describe(
      "An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives batch.completed once every item has ended",
    ),
  metadata: metadata.optional(),
});
export const estimateBatchBody = z.strictObject({ items: many(estimatedItem) });

/** Net amounts by currency. */
export const expectedTotal = z.record(plainText(1, 16), jsonDecimal);

export const confirmBatchBody = z.strictObject({
  callback_url: callbackUrl
    .optional()
    .describe(
      "An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives batch.completed. Required unless you gave one at creation",
    ),
  expected_total: expectedTotal
    .optional()
    .describe(
      'The total that you expect in each destination currency, such as {"USDT": 153.5}. If the batch offers another, the request is refused with quote_changed',
    ),
});
/** `batch_id` is in the path; the body is empty or `{}`. */
export const changeBatchBody = z.strictObject({});

export const listBatchesQuery = z.strictObject({
  status: z.enum(BATCH_STATUSES).optional().describe("Return only batches with this status"),
  external_batch_id: reference.optional().describe("Return only the batch with this external_batch_id"),
  limit: wholeNumber(1, 100).optional().describe("The most items to return, 1 to 100. The default is 25"),
  cursor: plainText(1, 256).optional().describe("The next_cursor of the previous page"),
});

const count = (status: string) => z.int().describe(`The number of items with status ${status}`);

const totalSchema = z.object({
  source_currency: fiatShown.describe("The fiat currency that you collect, as an ISO 4217 code such as KES"),
  source_amount: z.int().describe("The sum of the pair's items, in minor units of source_currency"),
  destination_currency: cryptoShown.describe("The symbol of the token that the wallets receive, such as USDT"),
  destination_amount: exactAmount("The sum that the wallets receive, in units of destination_currency"),
  platform_fee: exactAmount("The sum of the fees, in units of destination_currency"),
});

export const batchSchema = z.object({
  batch_id: batchId,
  external_batch_id: z.string().describe("Your own id for the batch"),
  status: z
    .enum(BATCH_STATUSES)
    .describe("The batch's status. completed means that every item has ended. completed and cancelled are final"),
  approval_state: z
    .enum(APPROVAL_STATES)
    .nullable()
    .describe(
      "The state of the operator's approval, for all items together. While it is pending, the batch cannot be confirmed. Null if no approval is needed",
    ),
  item_count: z.int().describe("The number of items in the batch"),
  counts: z
    .object({
      quoted: count("quoted"),
      processing: count("processing"),
      executed: count("executed"),
      failed: count("failed"),
      cancelled: count("cancelled"),
    } satisfies Record<(typeof SETTLEMENT_STATUSES)[number], z.ZodType>)
    .describe("The number of items by status"),
  totals: z.array(totalSchema).describe("The sums of the items, one entry for each pair of currencies"),
  expires_at: timestamp.describe("When the first quote among the items expires. Confirm the batch before this instant"),
  callback_url: z.string().nullable().describe("The URL that receives batch.completed. Null until you give one"),
  metadata: metadataShown,
  created_at: createdAt,
  confirmed_at: timestamp.nullable().describe("When it was confirmed. Null until then"),
  completed_at: timestamp.nullable().describe("When the last item ended. Null until then"),
});
export type BatchWire = z.infer<typeof batchSchema>;

export const madeBatchSchema = batchSchema.extend({
  items: z.array(settlementSchema).describe("The settlements of the batch, in the order in which you sent them"),
});

export const estimatedSettlementSchema = settlementSchema.omit({ network_cost: true }).extend({
  tx_id: z.string().nullable().describe("Always null: an estimate is not stored"),
});

export const estimateSchema = batchSchema.extend({
  batch_id: z.string().nullable().describe("Always null: an estimate is not stored"),
  external_batch_id: z.string().nullable().describe("Always null: an estimate is not stored"),
  items: z.array(estimatedSettlementSchema).describe("The price of each item, in the order in which you sent them"),
});

export const batchListSchema = z.object({
  data: z.array(batchSchema).describe("A page of batches, newest first"),
  next_cursor: z.string().nullable().describe("The cursor of the next page. Null on the last page"),
});

export function renderBatch(batch: TalliedBatch, numbers: Numbers = EXACT): BatchWire {
  return {
    batch_id: batch.id,
    ...toWire(batch, "externalBatchId", "status"),
    ...renderTally(batch, numbers),
    ...toWire(batch, "callbackUrl", "createdAt", "confirmedAt", "completedAt"),
    item_count: batch.itemCount,
    metadata: renderMetadata(batch.metadata),
  };
}

function renderTally({ approvalState, counts, totals, expiresAt }: BatchTally, numbers: Numbers = EXACT) {
  return {
    approval_state: approvalState,
    counts,
    totals: totals.map((total) => renderTotal(total, numbers)),
    expires_at: instant(expiresAt),
  };
}

function renderTotal(total: BatchTotal, numbers: Numbers): z.infer<typeof totalSchema> {
  return {
    ...toWire(total, "sourceCurrency", "destinationCurrency"),
    source_amount: Number(total.sourceAmountMinor),
    destination_amount: numbers.of(total.destinationAmount),
    platform_fee: numbers.of(total.platformFee),
  };
}

/** A batch that was just made, or is repeated, with its items. */
export function renderMadeBatch(
  batch: SettlementBatch,
  items: readonly Settlement[],
  rendered: readonly z.infer<typeof settlementSchema>[],
): z.infer<typeof madeBatchSchema> {
  return { ...renderBatch({ ...batch, ...tallyOf(items.map(shareOf)) }), items: [...rendered] };
}

/** What a batch of these settlements, which are stored nowhere, would be. */
export function renderEstimate(items: readonly Settlement[]): z.infer<typeof estimateSchema> {
  return {
    batch_id: null,
    external_batch_id: null,
    status: "quoted",
    ...renderTally(tallyOf(items.map(shareOf))),
    item_count: items.length,
    callback_url: null,
    metadata: {},
    created_at: instant(items[0]?.createdAt ?? new Date(0)),
    confirmed_at: null,
    completed_at: null,
    items: items.map((item) => ({ ...renderSettlement(item, []), tx_id: null })),
  };
}
