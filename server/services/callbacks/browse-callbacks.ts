import {
  type BrowsedCallback,
  browseCallbacks as browse,
  type CallbackFilter,
  countOpenCallbacks,
} from "#db/queries/callbacks/browse-callbacks.ts";
import type { Uses } from "#server/context.ts";

export type { CallbackFilter } from "#db/queries/callbacks/browse-callbacks.ts";

export type BrowseCallbacks = { filter: CallbackFilter; limit: number; beyond: string | null; direction: "older" | "newer" };
/** Newest first. `older`, `newer`: beyond which id it goes on; null: nowhere. */
export type CallbackPage = { items: BrowsedCallback[]; older: string | null; newer: string | null };

/** What is counted goes no further: "10,000+" says enough. */
const MOST_COUNTED = 10_000;

/** A page of callbacks of whatever they tell about, newest first. */
export async function browseCallbacks(ctx: Uses<"db">, { filter, limit, beyond, direction }: BrowseCallbacks): Promise<CallbackPage> {
  const found = await browse(ctx.db, filter, { limit: limit + 1, beyond, direction });
  const hasMore = found.length > limit;
  const nearest = found.slice(0, limit);
  const items = direction === "older" ? nearest : nearest.toReversed();
  const [hasOlder, hasNewer] = direction === "older" ? [hasMore, beyond !== null] : [beyond !== null, hasMore];
  return { items, older: hasOlder ? (items.at(-1)?.id ?? null) : null, newer: hasNewer ? (items[0]?.id ?? null) : null };
}

/** How many are pending, how many of those are retried after a failure, and how many undelivered, each to at most ten thousand: a partner's, or (null) everybody's. */
export async function countCallbacks(
  ctx: Uses<"db">,
  partnerId: string | null,
): Promise<{ pending: number; retrying: number; undelivered: number }> {
  return await countOpenCallbacks(ctx.db, partnerId, MOST_COUNTED);
}
