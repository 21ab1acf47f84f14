import {
  type BrowsedTopup,
  type BrowsedWithdrawal,
  browseTopups,
  browseWithdrawals,
  type OrderFilter,
} from "#db/queries/fiat/browse-orders.ts";
import type { By } from "#domain/access.ts";
import { walkAll } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";
import { recordExport } from "#server/services/audit/record-export.ts";

export type ExportOrders = { by: By; filter: OrderFilter /** In wire names, for the audit log. */; asked: Record<string, unknown> };

/** Every top-up that fits the filter, newest first, read batch by batch as it is asked for. The audit log tells who took them. */
export async function exportTopups(ctx: Uses<"db">, { by, filter, asked }: ExportOrders): Promise<AsyncGenerator<readonly BrowsedTopup[]>> {
  await recordExport(ctx, { by, what: "topups", change: asked });
  return walkAll(
    (walk) => browseTopups(ctx.db, filter, walk),
    ({ topup }) => topup,
  );
}

/** As {@link exportTopups}, of withdrawals. */
export async function exportWithdrawals(
  ctx: Uses<"db">,
  { by, filter, asked }: ExportOrders,
): Promise<AsyncGenerator<readonly BrowsedWithdrawal[]>> {
  await recordExport(ctx, { by, what: "withdrawals", change: asked });
  return walkAll(
    (walk) => browseWithdrawals(ctx.db, filter, walk),
    ({ withdrawal }) => withdrawal,
  );
}
