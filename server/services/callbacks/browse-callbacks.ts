import {
  type BrowsedCallback,
  browseCallbacks as browse,
  type CallbackFilter,
  countOpenCallbacks,
} from "#db/queries/callbacks/browse-callbacks.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";

export type { BrowsedCallback, CallbackFilter } from "#db/queries/callbacks/browse-callbacks.ts";

/** What is counted goes no further: "10,000+" says enough. */
const MOST_COUNTED = 10_000;

/** A page of callbacks of whatever they tell about, newest first; its places are ids. */
export async function browseCallbacks(
  ctx: Uses<"db">,
  { filter, ...walk }: { filter: CallbackFilter } & Walk<string>,
): Promise<Walked<BrowsedCallback, string>> {
  return await walkPage(
    walk,
    (each) => browse(ctx.db, filter, each),
    ({ id }) => id,
  );
}

/** How many are pending, how many of those are retried after a failure, and how many undelivered, each to at most ten thousand: a partner's, or (null) everybody's. */
export async function countCallbacks(
  ctx: Uses<"db">,
  partnerId: string | null,
): Promise<{ pending: number; retrying: number; undelivered: number }> {
  return await countOpenCallbacks(ctx.db, partnerId, MOST_COUNTED);
}
