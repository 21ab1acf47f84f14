import { listWaits as listRows } from "#db/queries/settlements/waiting.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Waiting } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";

/** Why `processing` settlements make no progress, by settlement (contract, part 10); without those that do. */
export async function listWaits(ctx: Uses<"db">, settlements: readonly Settlement[]): Promise<Map<string, Waiting>> {
  return await listRows(
    ctx.db,
    settlements.filter(({ status }) => status === "processing").map(({ id }) => id),
  );
}
