import { readCursor, writeCursor } from "#contract/cursor.ts";
import type { Place } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";

/** The parameters and the answer of a list on the partner-management surface (contract, part 6). */

const DEFAULT_LIMIT = 25;

type PageQuery = { skip?: number | undefined; limit?: number | undefined; search?: string | undefined };

export function readPage(query: PageQuery) {
  const { skip = 0, limit = DEFAULT_LIMIT, search } = query;
  return { skip, limit, ...(search === undefined ? {} : { search }) };
}

/**
 * A page of a list that is walked by cursor as well. `isOwn`: whether an id may be in the list at all.
 *
 * @throws Refusal `validation_failed` for a cursor of another list, and for one together with `skip`
 */
export function readWalk(query: PageQuery & { cursor?: string | undefined }, isOwn: (id: string) => boolean) {
  const page = readPage(query);
  const position = readCursor(query.cursor, { isOwn, where: { parameter: "cursor" } });
  if (position === null || page.skip === 0) return { ...page, position };
  const message = "is not taken together with cursor, which says where the page begins";
  throw new Refusal("validation_failed", { errors: [{ parameter: "skip", code: "invalid", message }] });
}

export function showPage<Item, Wire>({ items, total }: { items: readonly Item[]; total: number }, render: (item: Item) => Wire) {
  return { body: items.map(render), headers: { "X-Total-Count": String(total) } };
}

/** As {@link showPage}, with the cursor of the next page; empty where there is none. */
export function showWalk<Item, Wire>(page: { items: readonly Item[]; total: number; older: Place | null }, render: (item: Item) => Wire) {
  const { body, headers } = showPage(page, render);
  return { body, headers: { ...headers, "X-Next-Cursor": page.older === null ? "" : writeCursor(page.older) } };
}
