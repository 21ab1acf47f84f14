/** The search and its index. It needs no library: a few hundred sections take no time. */

export type IndexedPage = { path: string; title: string; sections: { id: string | null; heading: string; text: string }[] };
export type Found = { href: string; title: string; heading: string; excerpt: string };

const MOST = 12;
const EXCERPT = 120;
const WEIGHTS = { title: 4, heading: 6, text: 1 };

/** The sections that contain every word, best first: a heading counts more than a title, and that more than the text. */
export function search(pages: readonly IndexedPage[], words: string): Found[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (wanted.length === 0) return [];
  const rated = pages.flatMap(({ path, title, sections }) =>
    sections.map(({ id, heading, text }) => {
      const parts = { title: title.toLowerCase(), heading: heading.toLowerCase(), text: text.toLowerCase() };
      return { weight: weigh(parts, wanted), href: id === null ? path : `${path}#${id}`, title, heading, excerpt: excerptOf(text, wanted) };
    }),
  );
  return rated
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
    .slice(0, MOST)
    .map(({ weight: _, ...found }) => found);
}

function weigh(parts: Record<keyof typeof WEIGHTS, string>, wanted: readonly string[]): number {
  const weights = wanted.map((word) =>
    (["heading", "title", "text"] as const).reduce((sum, part) => {
      const text = parts[part];
      if (!text.includes(word)) return sum;
      const isBeginning = ` ${text}`.includes(` ${word}`);
      return sum + WEIGHTS[part] * (text === word ? 3 : isBeginning ? 2 : 1);
    }, 0),
  );
  return weights.includes(0) ? 0 : weights.reduce((sum, weight) => sum + weight, 0);
}

/** The text around the first of the words. */
function excerptOf(text: string, wanted: readonly string[]): string {
  const places = wanted.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...(places.length === 0 ? [0] : places)) - EXCERPT / 3);
  const cut = text.slice(from, from + EXCERPT);
  return `${from > 0 ? "…" : ""}${cut}${from + EXCERPT < text.length ? "…" : ""}`;
}
