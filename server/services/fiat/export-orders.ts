import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import {
  type BrowsedTopup,
  type BrowsedWithdrawal,
  browseTopups,
  browseWithdrawals,
  type OrderFilter,
} from "#db/queries/fiat/browse-orders.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import type { Place, Walk } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";

export type ExportOrders = { by: By; filter: OrderFilter /** In wire names, for the audit log. */; asked: Record<string, unknown> };

const BATCH = 500;

/** Every top-up that fits the filter, newest first, read batch by batch as it is asked for. The audit log tells who took them. */
export async function exportTopups(ctx: Uses<"db">, { filter, ...rest }: ExportOrders): Promise<AsyncGenerator<BrowsedTopup[]>> {
  await record(ctx, "topups", rest);
  return readBatches(
    (walk) => browseTopups(ctx.db, filter, walk),
    ({ topup }) => topup,
  );
}

/** As {@link exportTopups}, of withdrawals. */
export async function exportWithdrawals(ctx: Uses<"db">, { filter, ...rest }: ExportOrders): Promise<AsyncGenerator<BrowsedWithdrawal[]>> {
  await record(ctx, "withdrawals", rest);
  return readBatches(
    (walk) => browseWithdrawals(ctx.db, filter, walk),
    ({ withdrawal }) => withdrawal,
  );
}

async function record(ctx: Uses<"db">, what: string, { by, asked: change }: Omit<ExportOrders, "filter">): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const partnerId = by.actor.type === "user" ? by.actor.partnerId : null;
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: `${what}.exported`, objectId: what, change, now });
  });
}

async function* readBatches<Row>(read: (walk: Walk) => Promise<Row[]>, placeOf: (row: Row) => Place): AsyncGenerator<Row[]> {
  let position: Place | null = null;
  for (;;) {
    const batch: Row[] = await read({ limit: BATCH, position, direction: "older" });
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (batch.length < BATCH || last === undefined) return;
    position = placeOf(last);
  }
}
