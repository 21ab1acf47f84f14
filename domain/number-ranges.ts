/** Whole numbers in words for people: `3, 7-9`. */
export function formatRanges(numbers: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(", ");
}

/** The numbers in such a text, in order; null if it is malformed or has more than `most`. An empty text has none. */
export function parseRanges(text: string, most: number): number[] | null {
  const numbers = new Set<number>();
  for (const part of text.split(",").map((one) => one.trim())) {
    if (part === "" && text.trim() === "") continue;
    const match = /^(\d{1,15})(?:\s*[-–]\s*(\d{1,15}))?$/.exec(part);
    if (match === null) return null;
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (to < from || to - from >= most) return null;
    for (let number = from; number <= to; number += 1) numbers.add(number);
    if (numbers.size > most) return null;
  }
  return [...numbers].sort((one, other) => one - other);
}
