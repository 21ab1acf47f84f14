import { type BatchFilter, findBatch, findBatchByExternalId, listBatches as listRows } from "#db/queries/settlements/batches.ts";
import { isId } from "#domain/ids.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SettlementBatch, TalliedBatch } from "#domain/settlement-batch.ts";
import type { Uses } from "#server/context.ts";

/**
 * The batch of that id, of this partner where given, with what its items come to.
 *
 * @throws Refusal `batch_not_found`, for a foreign id just as for one that never existed.
 */
export async function readBatch(ctx: Uses<"db">, { id, partnerId }: { id: string; partnerId?: string }): Promise<TalliedBatch> {
  const batch = isId("batch", id) ? await findBatch(ctx.db, id, partnerId) : null;
  if (batch === null) throw new Refusal("batch_not_found");
  return batch;
}

/** Those of the ids that are this partner's (left out: anybody's), in the given order. @throws Refusal `batch_not_found` if one is not */
export async function readBatches(ctx: Uses<"db">, ids: readonly string[], partnerId?: string): Promise<TalliedBatch[]> {
  const batches: TalliedBatch[] = [];
  // One after another: twenty at once would take every connection of the process.
  for (const id of ids) batches.push(await readBatch(ctx, { id, ...(partnerId !== undefined && { partnerId }) }));
  return batches;
}

/** The batch that the partner has named so. */
export async function readBatchByName(ctx: Uses<"db">, partnerId: string, externalBatchId: string): Promise<SettlementBatch | null> {
  return await findBatchByExternalId(ctx.db, partnerId, externalBatchId);
}

export type ListBatches = { filter: BatchFilter } & Walk;

/** A page of batches, newest first. */
export async function listBatches(ctx: Uses<"db">, { filter, ...walk }: ListBatches): Promise<Walked<TalliedBatch>> {
  return await walkPage(
    walk,
    (each) => listRows(ctx.db, filter, each),
    (batch) => batch,
  );
}
