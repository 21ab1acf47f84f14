/** A place in a list that is walked newest first. */
export type Place = { createdAt: Date; id: string };

/**
 * A page request: a number of items after a position (null: from the newest), towards older or newer ones. `At`: the type of a position.
 */
export type Walk<At = Place> = { limit: number; position: At | null; direction: "older" | "newer" };

/** A page with the positions for continuing in both directions (null: none), and that of its first item (null: empty). */
export type Walked<Item, At = Place> = { items: Item[]; older: At | null; newer: At | null; first: At | null };

/** Reads items beyond a place, nearest first. */
type Read<Item, At> = (walk: Walk<At>) => Promise<readonly Item[]>;

const BATCH = 500;

/** Reads a page, and one item more than its limit, so that it is known whether there is more. The items are newest first either way. */
export async function walkPage<Item, At = Place>(
  { limit, position, direction }: Walk<At>,
  read: Read<Item, At>,
  placeOf: (item: Item) => At,
): Promise<Walked<Item, At>> {
  const found = await read({ limit: limit + 1, position, direction });
  const hasMore = found.length > limit;
  const nearest = found.slice(0, limit);
  const items = direction === "older" ? nearest : nearest.toReversed();
  const [hasOlder, hasNewer] = direction === "older" ? [hasMore, position !== null] : [position !== null, hasMore];
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    older: hasOlder && last !== undefined ? placeOf(last) : null,
    newer: hasNewer && first !== undefined ? placeOf(first) : null,
    first: first === undefined ? null : placeOf(first),
  };
}

/** Reads a whole list from its newest item on, batch by batch on demand: short statements, and no long transaction. */
export async function* walkAll<Item, At = Place>(
  read: Read<Item, At>,
  placeOf: (item: Item) => At,
  limit = BATCH,
): AsyncGenerator<readonly Item[]> {
  for (let position: At | null = null; ; ) {
    const batch: readonly Item[] = await read({ limit, position, direction: "older" });
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    if (batch.length < limit) return;
    position = placeOf(last);
  }
}
