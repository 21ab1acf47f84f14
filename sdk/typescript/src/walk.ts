import { SettlementError } from "./errors.ts";
import type { QueryBoundary } from "./transport.ts";

export type Page<Body> = { headers: QueryBoundary["headers"]; body: Body };
/** A page's items, and the cursor of the next page: null or empty after the last, undefined if the answer does not say. */
export type ReadPage<Body, Item> = (page: Page<Body>) => readonly [items: readonly Item[], next: string | null | undefined];

const MOST_PER_PAGE = 100;

/**
 * Page after page by cursor: items added meanwhile neither repeat one nor omit one.
 *
 * @throws SettlementError if a full page does not say whether there is a next one
 */
export async function* walkPages<Body, Item>(
  ask: (query: object) => Promise<QueryBoundary>,
  query: object,
  read: ReadPage<Body, Item>,
): AsyncGenerator<Item, void> {
  let cursor: string | undefined;
  do {
    const asked = { limit: MOST_PER_PAGE, ...query, cursor };
    const { headers, body } = await ask(asked);
    // Answers are checked against the documents that the types are made of: by the service's tests, not here.
    const [items, next] = read({ headers, body: body as Body });
    yield* items;
    if (next === undefined && items.length >= asked.limit)
      throw new SettlementError("there is more than one page and no cursor: the service is older than this SDK");
    cursor = next || undefined;
  } while (cursor !== undefined);
}
