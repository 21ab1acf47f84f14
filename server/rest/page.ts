/** How a list of the partner-management surface is asked for, and told (contract, part 6). */

const DEFAULT_LIMIT = 25;

export function readPage(query: { skip?: number | undefined; limit?: number | undefined; search?: string | undefined }) {
  const { skip = 0, limit = DEFAULT_LIMIT, search } = query;
  return { skip, limit, ...(search === undefined ? {} : { search }) };
}

export function showPage<Item, Wire>({ items, total }: { items: readonly Item[]; total: number }, render: (item: Item) => Wire) {
  return { body: items.map(render), headers: { "X-Total-Count": String(total) } };
}
