import {
  type BrowsedTopup,
  type BrowsedWithdrawal,
  browseTopups as browseTopupRows,
  browseWithdrawals as browseWithdrawalRows,
  type OrderFilter,
} from "#db/queries/fiat/browse-orders.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";

export type { BrowsedTopup, BrowsedWithdrawal, OrderFilter } from "#db/queries/fiat/browse-orders.ts";

type Browse = { filter: OrderFilter } & Walk;

/** Top-ups of a partner, or of all, newest first, for people. */
export async function browseTopups(ctx: Uses<"db">, { filter, ...walk }: Browse): Promise<Walked<BrowsedTopup>> {
  return await walkPage(
    walk,
    (each) => browseTopupRows(ctx.db, filter, each),
    ({ topup }) => topup,
  );
}

/** As {@link browseTopups}, of withdrawals. */
export async function browseWithdrawals(ctx: Uses<"db">, { filter, ...walk }: Browse): Promise<Walked<BrowsedWithdrawal>> {
  return await walkPage(
    walk,
    (each) => browseWithdrawalRows(ctx.db, filter, each),
    ({ withdrawal }) => withdrawal,
  );
}
