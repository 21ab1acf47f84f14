import { listBookedPools } from "#db/queries/ledger/ledger-balances.ts";
import type { FiatPool } from "#domain/fiat.ts";
import type { Uses } from "#server/context.ts";

/**
 * What can be paid out of each currency, as the ledger says (contract, part 6 "Get Withdraw Fiat Pool Info"). Whoever reserves asks
 * the pool's own locked row instead, which the audit proves equal.
 */
export async function readPools(ctx: Uses<"db">): Promise<FiatPool[]> {
  return await listBookedPools(ctx.db);
}
