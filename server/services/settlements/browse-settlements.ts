import {
  type BrowsedSettlement,
  type BrowseFilter,
  browseSettlements as browseRows,
  countBrowsed,
  listBrowsedByIds,
} from "#db/queries/settlements/browse-settlements.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";

export type { BrowsedSettlement, BrowseFilter } from "#db/queries/settlements/browse-settlements.ts";

/** A page of settlements for the console, newest first, with its cursors in both directions (null: no further page). */
export async function browseSettlements(ctx: Uses<"db">, query: { filter: BrowseFilter } & Walk): Promise<Walked<BrowsedSettlement>> {
  const { filter, ...walk } = query;
  return await walkPage(
    walk,
    (each) => browseRows(ctx.db, filter, each),
    ({ settlement }) => settlement,
  );
}

/** Those of the ids that belong to the partner (omitted: to anybody). */
export async function readRows(ctx: Uses<"db">, query: { ids: readonly string[]; partnerId?: string }): Promise<BrowsedSettlement[]> {
  return await listBrowsedByIds(ctx.db, query.ids, query.partnerId);
}

const MANY = 10_000;

/** How many fit the filter; beyond ten thousand it only says that there are more. */
export async function countSettlements(ctx: Uses<"db">, filter: BrowseFilter): Promise<{ count: number; more: boolean }> {
  const count = await countBrowsed(ctx.db, filter, MANY);
  return { count: Math.min(count, MANY), more: count > MANY };
}
