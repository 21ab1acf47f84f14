import { listPools as listRows } from "#db/queries/fiat-pools.ts";
import type { Uses } from "#server/context.ts";
import type { FiatPool } from "#server/domain/fiat.ts";

/** What can be paid out of each currency (contract, part 6 "Get Withdraw Fiat Pool Info"). */
export async function listPools(ctx: Uses<"db">): Promise<FiatPool[]> {
  return await listRows(ctx.db);
}
