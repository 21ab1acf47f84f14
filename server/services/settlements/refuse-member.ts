import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";

/**
 * Items of a batch are confirmed, cancelled and decided with it alone (contract, part 11).
 *
 * @throws Refusal `batch_member`
 */
export function refuseMember({ batchId }: Settlement): void {
  if (batchId === null) return;
  throw new Refusal("batch_member", { detail: `The settlement is an item of the batch ${batchId}.`, members: { batch_id: batchId } });
}
