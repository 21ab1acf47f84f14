/** The name that was probably meant; else all of them. */
export function suggest(given: string, names: readonly string[]): string {
  const near = names.map((name) => ({ name, typos: typosBetween(given, name) })).filter(({ typos }) => typos <= MOST_TYPOS);
  const [nearest] = near.toSorted((left, right) => left.typos - right.typos);
  return nearest === undefined ? `Commands: ${names.join(", ")}.` : `Did you mean "${nearest.name}"?`;
}

const MOST_TYPOS = 2;

/** How many letters must be changed, added or left out to get from one word to the other. */
function typosBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [column, expected] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === expected ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
