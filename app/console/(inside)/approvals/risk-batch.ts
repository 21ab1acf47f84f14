const AT_ONCE = 25;

/** Which of them are asked about together: the page's server and the browser that goes on from there must name the same. */
export function nextBatch(ids: readonly string[], known: ReadonlyMap<string, unknown> = new Map()): string[] {
  return ids.filter((id) => !known.has(id)).slice(0, AT_ONCE);
}
