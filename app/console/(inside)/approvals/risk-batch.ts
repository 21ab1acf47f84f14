const AT_ONCE = 25;

/** Which settlements share a query. The page's server and the browser must compute the same batches. */
export function nextBatch(ids: readonly string[], known: ReadonlyMap<string, unknown> = new Map()): string[] {
  return ids.filter((id) => !known.has(id)).slice(0, AT_ONCE);
}
