import { z } from "zod";
import { jsonDecimal } from "#contract/json-number.ts";
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

export const batchId = z.string().describe("The batch's id, ba_…");
const externalBatchId = reference.describe("The partner's own name for the batch, unique among its batches");
const itemReference = reference.describe("The partner's reference for this payment, unique among its settlements");

export const batchItem = createBody.extend({ external_tx_id: itemReference });
const estimatedItem = createBody.extend({ external_tx_id: itemReference.optional() });
/** An item as it was sent. */
export type SentItem = z.output<typeof estimatedItem>;
const many = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1).max(MOST_ITEMS).describe(`1 to ${MOST_ITEMS} settlements, each as for a create`);

export const createBatchBody = z.strictObject({
  external_batch_id: externalBatchId,
  items: many(batchItem),
  callback_url: callbackUrl
    .optional()
    .describe("An absolute https URL of a public host: receives batch.completed, once every item has ended"),
});
export const estimateBatchBody = z.strictObject({ items: many(estimatedItem) });

/** Net amounts by currency. */
export const expectedTotal = z.record(plainText(1, 16), jsonDecimal);

export const confirmBatchBody = z.strictObject({
  callback_url: callbackUrl.optional().describe("Receives batch.completed; required unless one was given at creation"),
  expected_total: expectedTotal
    .optional()
    .describe('What each destination currency comes to, such as {"USDT": 153.5}: refused with quote_changed when the batch offers another'),
});
/** `batch_id` is in the path; the body is empty or `{}`. */
export const changeBatchBody = z.strictObject({});

export const listBatchesQuery = z.strictObject({
  status: z.enum(BATCH_STATUSES).optional().describe("Only those of this status"),
  external_batch_id: reference.optional().describe("Only the one of this name"),
  limit: wholeNumber(1, 100).optional().describe("How many at most; 25 when left out"),
  cursor: plainText(1, 256).optional().describe("The next_cursor of the page before"),
});

const count = (status: string) => z.int().describe(`How many items are ${status}`);

const totalSchema = z.object({
  source_currency: fiatShown.describe("Fiat that is paid in, ISO 4217"),
  source_amount: z.int().describe("Minor units of the source currency, of all items of the pair together"),
  destination_currency: cryptoShown.describe("Symbol of the token that is paid out"),
  destination_amount: exactAmount("What their wallets get together, in units of the destination currency"),
  platform_fee: exactAmount("Their fees together, in units of the destination currency"),
});

export const batchSchema = z.object({
  batch_id: batchId,
  external_batch_id: z.string().describe("The partner's own name for the batch"),
  status: z.enum(BATCH_STATUSES).describe("How far it has come; completed (every item has ended) and cancelled are final"),
  approval_state: z
    .enum(APPROVAL_STATES)
    .nullable()
    .describe("An operator's approval of all items together: while pending it cannot be confirmed; null: it needs none"),
  item_count: z.int().describe("How many items it has"),
  counts: z
    .object({
      quoted: count("quoted"),
      processing: count("processing"),
      executed: count("executed"),
      failed: count("failed"),
      cancelled: count("cancelled"),
    } satisfies Record<(typeof SETTLEMENT_STATUSES)[number], z.ZodType>)
    .describe("How many of its items have which status"),
  totals: z.array(totalSchema).describe("What its items come to, for each pair of currencies"),
  expires_at: timestamp.describe("The earliest of its items': before this instant it can be confirmed"),
  callback_url: z.string().nullable().describe("Where batch.completed goes; null until one is given"),
  created_at: createdAt,
  confirmed_at: timestamp.nullable().describe("When it was confirmed; null until then"),
  completed_at: timestamp.nullable().describe("When its last item ended; null until then"),
});
export type BatchWire = z.infer<typeof batchSchema>;

export const madeBatchSchema = batchSchema.extend({
  items: z.array(settlementSchema).describe("Its settlements, in the order in which they were sent"),
});

export const estimatedSettlementSchema = settlementSchema.extend({ tx_id: z.string().nullable().describe("null: an estimate has none") });

export const estimateSchema = batchSchema.extend({
  batch_id: z.string().nullable().describe("null: an estimate has none"),
  external_batch_id: z.string().nullable().describe("null: an estimate has none"),
  items: z.array(estimatedSettlementSchema).describe("What each would cost, in the order in which they were sent"),
});

export const batchListSchema = z.object({
  data: z.array(batchSchema).describe("A page of batches, newest first"),
  next_cursor: z.string().nullable().describe("The cursor of the next page; null: this is the last"),
});

export function renderBatch(batch: TalliedBatch, numbers: Numbers = EXACT): BatchWire {
  return {
    batch_id: batch.id,
    ...toWire(batch, "externalBatchId", "status"),
    ...renderTally(batch, numbers),
    ...toWire(batch, "callbackUrl", "createdAt", "confirmedAt", "completedAt"),
    item_count: batch.itemCount,
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
    created_at: instant(items[0]?.createdAt ?? new Date(0)),
    confirmed_at: null,
    completed_at: null,
    items: items.map((item) => ({ ...renderSettlement(item, []), tx_id: null })),
  };
}
