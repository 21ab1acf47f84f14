import {
  type BrowsedSettlement,
  type BrowseFilter,
  browseSettlements as browseRows,
  countBrowsed,
  listBrowsedByIds,
} from "#db/queries/settlements/browse-settlements.ts";
import type { SettlementPosition } from "#db/queries/settlements/settlements.ts";
import type { Uses } from "#server/context.ts";

export type { BrowsedSettlement, BrowseFilter } from "#db/queries/settlements/browse-settlements.ts";

export type BrowseSettlements = {
  filter: BrowseFilter;
  limit: number;
  position: SettlementPosition | null;
  direction: "older" | "newer";
};
export type BrowseAnswer = { items: BrowsedSettlement[]; older: SettlementPosition | null; newer: SettlementPosition | null };

/** A page of settlements, newest first, for people: where it goes on in both directions (null: nowhere). */
export async function browseSettlements(ctx: Uses<"db">, query: BrowseSettlements): Promise<BrowseAnswer> {
  const { filter, limit, position, direction } = query;
  const found = await browseRows(ctx.db, filter, { limit: limit + 1, position, direction });
  const hasMore = found.length > limit;
  const page = found.slice(0, limit);
  const items = direction === "older" ? page : page.reverse();
  const first = items[0] ?? null;
  const last = items.at(-1) ?? null;
  const [hasOlder, hasNewer] = direction === "older" ? [hasMore, position !== null] : [position !== null, hasMore];
  return { items, older: hasOlder ? placeOf(last) : null, newer: hasNewer ? placeOf(first) : null };
}

/** Those of the ids that the partner (left out: anybody) has. */
export async function readRows(ctx: Uses<"db">, query: { ids: readonly string[]; partnerId?: string }): Promise<BrowsedSettlement[]> {
  return await listBrowsedByIds(ctx.db, query.ids, query.partnerId);
}

const MANY = 10_000;

/** How many fit the filter; beyond ten thousand it only says that there are more. */
export async function countSettlements(ctx: Uses<"db">, filter: BrowseFilter): Promise<{ count: number; more: boolean }> {
  const count = await countBrowsed(ctx.db, filter, MANY);
  return { count: Math.min(count, MANY), more: count > MANY };
}

function placeOf(item: BrowsedSettlement | null): SettlementPosition | null {
  return item === null ? null : { createdAt: item.settlement.createdAt, id: item.settlement.id };
}
