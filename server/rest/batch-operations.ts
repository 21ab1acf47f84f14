import { hash } from "node:crypto";
import { readCursor, writeCursor } from "#contract/cursor.ts";
import {
  cancelBatchOperation,
  confirmBatchOperation,
  createBatchOperation,
  estimateBatchOperation,
  getBatchOperation,
  listBatchesOperation,
  requoteBatchOperation,
} from "#contract/settlement/v1/batch-operations.ts";
import { renderBatch, renderEstimate, renderMadeBatch, type SentItem } from "#contract/settlement/v1/batches.ts";
import { approveBatchOperation, rejectBatchOperation } from "#contract/settlement/v1/decisions.ts";
import { toInside } from "#contract/wire.ts";
import type { Decimal } from "#domain/decimal.ts";
import { isId } from "#domain/ids.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { tracePlace } from "#server/observe/trace.ts";
import { checkCallbackUrl } from "#server/services/callbacks/callback-target.ts";
import { screenBatch } from "#server/services/screening/screen-confirmation.ts";
import { cancelBatch } from "#server/services/settlements/batches/cancel-batch.ts";
import { confirmBatch } from "#server/services/settlements/batches/confirm-batch.ts";
import { type BatchItem, createBatch, estimateBatch, type UrlFault } from "#server/services/settlements/batches/create-batch.ts";
import { approveBatch, rejectBatch } from "#server/services/settlements/batches/decide-batch.ts";
import { listBatches, readBatch } from "#server/services/settlements/batches/read-batch.ts";
import { requoteBatch } from "#server/services/settlements/batches/requote-batch.ts";
import { judgeBatch, withRecipientFaults } from "#server/services/settlements/judge-recipients.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";
import { checkGivenUrl, showAll } from "./show-settlement.ts";

/** The operations of batches (contract, part 11). */

const DEFAULT_LIMIT = 25;

export const BATCHES: readonly Binding[] = [
  bindAfter(
    createBatchOperation,
    async (ctx, { body }) => {
      const [judged] = await Promise.all([judgeItems(ctx, body.items), checkGivenUrl(ctx, body.callback_url)]);
      return judged;
    },
    async (ctx, { body, bytes, partnerId, apiKeyId, by }, judged) => {
      const made = await createBatch(ctx, {
        partnerId,
        apiKeyId,
        by,
        ...judged,
        externalBatchId: body.external_batch_id,
        bodySha256: hash("sha256", bytes),
        callbackUrl: body.callback_url ?? null,
        metadata: body.metadata ?? null,
        trace: tracePlace(),
      });
      const shown = await showAll(ctx, made.items, { areNew: !made.repeated });
      return {
        body: renderMadeBatch(made.batch, made.items, shown),
        headers: { Location: `/api/v1/settlement-batches/${made.batch.id}` },
        ...(made.repeated ? { status: 200 as const } : {}),
      };
    },
  ),
  bindAfter(
    estimateBatchOperation,
    (ctx, { body }) => judgeItems(ctx, body.items),
    async (ctx, { partnerId, apiKeyId, by }, judged) => {
      const items = await estimateBatch(ctx, { partnerId, apiKeyId, by, ...judged });
      return { body: renderEstimate(items) };
    },
  ),
  bindAfter(
    confirmBatchOperation,
    async (ctx, { params, body, partnerId }) => {
      const batch = { partnerId, id: params.batch_id };
      const asked = [screenBatch(ctx, batch), judgeBatch(ctx, batch)] as const;
      const [screenings, recipientFaults] = await Promise.all([...asked, checkGivenUrl(ctx, body.callback_url)]);
      return { screenings, recipientFaults };
    },
    async (ctx, { params, body, partnerId, by }, found) => {
      const expectedTotal = readTotal(body.expected_total);
      const command = { partnerId, by, id: params.batch_id, callbackUrl: body.callback_url ?? null, expectedTotal, ...found };
      return { body: renderBatch(await confirmBatch(ctx, command)) };
    },
  ),
  bind(cancelBatchOperation, async (ctx, { params, partnerId, by }) => ({
    body: renderBatch(await cancelBatch(ctx, { partnerId, by, id: params.batch_id })),
  })),
  bind(requoteBatchOperation, async (ctx, { params, partnerId, by }) => ({
    body: renderBatch(await requoteBatch(ctx, { partnerId, by, id: params.batch_id })),
  })),
  bind(getBatchOperation, async (ctx, { params, partnerId }) => ({
    body: renderBatch(await readBatch(ctx, { id: params.batch_id, partnerId })),
  })),
  bind(listBatchesOperation, async (ctx, { query, partnerId }) => {
    const { status, external_batch_id: externalBatchId, limit = DEFAULT_LIMIT, cursor } = query;
    const position = readCursor(cursor, { isOwn: (id) => isId("batch", id), where: { parameter: "cursor" } });
    const filter = { partnerId, ...(status && { status }), ...(externalBatchId && { externalBatchId }) };
    const page = await listBatches(ctx, { filter, limit, position, direction: "older" });
    return { body: { data: page.items.map((batch) => renderBatch(batch)), next_cursor: page.older && writeCursor(page.older) } };
  }),
];

/** An operator's decisions on batches. */
export const BATCH_DECISIONS: readonly Binding[] = [
  bind(approveBatchOperation, async (ctx, { by, params, body }) => {
    const command = { by, id: params.batch_id, note: body.note ?? null, expectedTotal: readTotal(body.expected_total) };
    return { body: renderBatch(await approveBatch(ctx, command)) };
  }),
  bind(rejectBatchOperation, async (ctx, { by, params, body }) => ({
    body: renderBatch(await rejectBatch(ctx, { by, id: params.batch_id, reason: body.reason })),
  })),
];

function readTotal(total: Record<string, Decimal> | undefined): ReadonlyMap<string, Decimal> | null {
  return total === undefined ? null : new Map(Object.entries(total));
}

function readItem(item: SentItem): BatchItem {
  const { sourceAmount, ...asked } = toInside(item);
  return { callbackUrl: null, externalTxId: null, ...asked, sourceAmountMinor: BigInt(sourceAmount) };
}

/** The items as they were sent, with what speaks against their recipients and their URLs: both are asked over the network. */
async function judgeItems(ctx: Uses<"callbacks" | "chains" | "lapsing">, sent: readonly SentItem[]) {
  const [urlFaults, items] = await Promise.all([judgeUrls(ctx, sent), withRecipientFaults(ctx, sent.map(readItem))]);
  return { urlFaults, items };
}

/** Each URL is judged once, however many items have it. */
async function judgeUrls(ctx: Uses<"callbacks">, items: readonly SentItem[]): Promise<UrlFault[]> {
  const urls = [...new Set(items.flatMap(({ callback_url }) => callback_url ?? []))];
  const judged = new Map(await Promise.all(urls.map(async (url) => [url, await refusalOf(ctx, url)] as const)));
  return items.flatMap(({ callback_url }, index) => {
    const refusal = callback_url === undefined ? null : (judged.get(callback_url) ?? null);
    return refusal === null ? [] : [{ index, refusal }];
  });
}

async function refusalOf(ctx: Uses<"callbacks">, url: string) {
  try {
    await checkCallbackUrl(ctx, url, "/callback_url");
    return null;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}
