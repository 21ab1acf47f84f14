import { listWaits as listRows } from "#db/queries/waiting.ts";
import type { Uses } from "#server/context.ts";
import type { Settlement } from "#server/domain/settlement.ts";
import type { Waiting } from "#server/domain/transfer.ts";

/** Why those that are `processing` do not move, by settlement (contract, part 10); of one that moves, nothing. */
export async function listWaits(ctx: Uses<"db">, settlements: readonly Settlement[]): Promise<Map<string, Waiting>> {
  return await listRows(
    ctx.db,
    settlements.filter(({ status }) => status === "processing").map(({ id }) => id),
  );
}
