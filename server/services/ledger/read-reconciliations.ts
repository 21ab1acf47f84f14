import { listReconciliations as listRows, type ReconciliationRow } from "#db/queries/ledger/reconciliations.ts";
import type { Uses } from "#server/context.ts";

/** The last finished reconciliations, newest first, each with every difference by name: for the console and the figures. */
export async function readReconciliations(ctx: Uses<"db">, limit = 30): Promise<ReconciliationRow[]> {
  return await listRows(ctx.db, limit);
}
