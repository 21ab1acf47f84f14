import { type BatchFilter, findBatch, listBatches as listRows } from "#db/queries/settlements/batches.ts";
import { isId } from "#domain/ids.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { TalliedBatch } from "#domain/settlement-batch.ts";
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

export type ListBatches = { filter: BatchFilter } & Walk;

/** A page of batches, newest first. */
export async function listBatches(ctx: Uses<"db">, { filter, ...walk }: ListBatches): Promise<Walked<TalliedBatch>> {
  return await walkPage(
    walk,
    (each) => listRows(ctx.db, filter, each),
    (batch) => batch,
  );
}
