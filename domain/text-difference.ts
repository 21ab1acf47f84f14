/** A part that both texts have, or only one of them. */
export type TextPart = { kind: "same" | "missing" | "extra"; text: string };

/** Beyond this many changed characters the middle is one difference: nobody reads it character by character. */
const MAX_CHANGES = 400;

/**
 * How `given` differs from `wanted`, character by character: `missing` is only in `wanted`, `extra` only in `given`. The parts of `same`
 * and `missing` together are `wanted`, those of `same` and `extra` are `given`.
 */
export function compareTexts(wanted: string, given: string): TextPart[] {
  const [one, other] = [[...wanted], [...given]];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const middle = [one.slice(start, one.length - end), other.slice(start, other.length - end)] as const;
  return joined([
    { kind: "same", text: one.slice(0, start).join("") },
    ...(shortest(...middle) ?? [
      { kind: "missing", text: middle[0].join("") },
      { kind: "extra", text: middle[1].join("") },
    ]),
    { kind: "same", text: one.slice(one.length - end).join("") },
  ]);
}

/** Myers' shortest way from one to the other; null when it takes too many changes. */
function shortest(one: readonly string[], other: readonly string[]): TextPart[] | null {
  const trail: Map<number, number>[] = [];
  let reached = new Map<number, number>([[1, 0]]);
  for (let changes = 0; changes <= Math.min(MAX_CHANGES, one.length + other.length); changes += 1) {
    trail.push(reached);
    const next = new Map(reached);
    for (let line = -changes; line <= changes; line += 2) {
      let at = isDown(reached, line, changes) ? (reached.get(line + 1) ?? 0) : (reached.get(line - 1) ?? 0) + 1;
      while (at < one.length && at - line < other.length && one[at] === other[at - line]) at += 1;
      next.set(line, at);
      if (at >= one.length && at - line >= other.length) return walkBack(trail, one, other);
    }
    reached = next;
  }
  return null;
}

function isDown(reached: ReadonlyMap<number, number>, line: number, changes: number): boolean {
  return line === -changes || (line !== changes && (reached.get(line - 1) ?? -1) < (reached.get(line + 1) ?? -1));
}

function walkBack(trail: readonly ReadonlyMap<number, number>[], one: readonly string[], other: readonly string[]): TextPart[] {
  const parts: TextPart[] = [];
  let [x, y] = [one.length, other.length];
  for (let changes = trail.length - 1; changes >= 0; changes -= 1) {
    const reached = trail[changes] ?? new Map<number, number>();
    const line = x - y;
    const before = isDown(reached, line, changes) ? line + 1 : line - 1;
    const fromX = changes === 0 ? 0 : (reached.get(before) ?? 0);
    const fromY = changes === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      parts.push({ kind: "same", text: one[x] ?? "" });
    }
    if (changes === 0) break;
    if (x === fromX) parts.push({ kind: "extra", text: other[fromY] ?? "" });
    else parts.push({ kind: "missing", text: one[fromX] ?? "" });
    [x, y] = [fromX, fromY];
  }
  return parts.toReversed();
}

function joined(parts: readonly TextPart[]): TextPart[] {
  const all: TextPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.text === "") continue;
    if (last?.kind === part.kind) all[all.length - 1] = { kind: part.kind, text: last.text + part.text };
    else all.push(part);
  }
  return all;
}
