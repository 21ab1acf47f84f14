/** A place in a list that is walked newest first. */
export type Place = { createdAt: Date; id: string };

/** A page of a list: so many items beyond a place (null: from the newest), walking to older or to newer ones. */
export type Walk = { limit: number; position: Place | null; direction: "older" | "newer" };

/** A page with the places from which it goes on in both directions; null: nowhere. */
export type Walked<Item> = { items: Item[]; older: Place | null; newer: Place | null };

/**
 * Makes a page of what was found beyond the place, nearest first; one more than the limit was asked for, so that it is known whether
 * there is more. The items are newest first either way.
 */
export function cutPage<Item>(found: readonly Item[], { limit, position, direction }: Walk, placeOf: (item: Item) => Place): Walked<Item> {
  const hasMore = found.length > limit;
  const nearest = found.slice(0, limit);
  const items = direction === "older" ? nearest : nearest.toReversed();
  const [hasOlder, hasNewer] = direction === "older" ? [hasMore, position !== null] : [position !== null, hasMore];
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    older: hasOlder && last !== undefined ? placeOf(last) : null,
    newer: hasNewer && first !== undefined ? placeOf(first) : null,
  };
}
