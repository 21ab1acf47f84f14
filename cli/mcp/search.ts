import { askedFor, termOf, wordsOf } from "#app/docs/_content/search-terms.ts";
import type { Page } from "./pages.ts";

export type Hit = { title: string; path: string; excerpt: string };

const LONGEST_EXCERPT = 1_500;
/** A word in the title says more than one in the text. */
const TITLE_WEIGHT = 4;

/** Who writes an operation's path wants that operation. */
const PATH_WEIGHT = 2;

/** How much a long page has to say a word more often than a short one, from 0 (no more) to 1 (in proportion): BM25's b. */
const LENGTH_WEIGHT = 0.75;

/** A synonym says less than the word itself. */
const SYNONYM_WEIGHT = 0.6;

/** The pages that match these words, or their synonyms, best first. Rare words count more than common ones, and more on a short page (BM25). */
export function searchPages(pages: readonly Page[], query: string, most: number): Hit[] {
  const groups = askedFor(query);
  const paths = query.match(/\/\S+/g) ?? [];
  const own = groups.flatMap(([word = ""]) => [word, ...(word.includes("_") ? words(word) : [])]);
  const synonyms = groups.flatMap(([, ...others]) => others);
  const shares = new Map([...synonyms.map((word) => [word, SYNONYM_WEIGHT] as const), ...own.map((word) => [word, 1] as const)]);
  const wanted = [...shares.keys()];
  const read = pages.map((page) => ({ page, title: count(page.title), text: count(page.text) }));
  const average = pages.reduce((sum, { text }) => sum + text.length, 0) / pages.length;
  const weight = new Map(
    wanted.map((word) => [
      word,
      Math.log(1 + pages.length / (1 + read.filter(({ title, text }) => title.has(word) || text.has(word)).length)),
    ]),
  );
  return read
    .map(({ page, title, text }) => {
      const often = 2 * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * page.text.length) / average);
      const score = wanted.reduce((sum, word) => {
        const found = (title.get(word) ?? 0) * TITLE_WEIGHT + (text.get(word) ?? 0);
        return sum + (weight.get(word) ?? 0) * (shares.get(word) ?? 0) * (found / (found + often));
      }, 0);
      const isNamed = paths.some((path) => page.title.split(/:?\s+/).includes(path));
      return { page, score: isNamed ? score * PATH_WEIGHT : score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, most)
    .map(({ page }) => ({ title: page.title, path: page.path, excerpt: excerptOf(page.text, own) }));
}

/** The part of the text with the most of the words, each counted once. */
function excerptOf(text: string, wanted: readonly string[]): string {
  if (text.length <= LONGEST_EXCERPT) return text.trim();
  const lines = text.split("\n");
  const hits = lines.map((line) => words(line).filter((word) => wanted.includes(word)));
  let best = { start: 0, hits: -1 };
  for (let start = 0; start < lines.length; start += 1) {
    const held = new Set<string>();
    let length = 0;
    for (let at = start; at < lines.length && length < LONGEST_EXCERPT; at += 1) {
      length += (lines[at]?.length ?? 0) + 1;
      for (const word of hits[at] ?? []) held.add(word);
    }
    if (held.size > best.hits) best = { start, hits: held.size };
  }
  return lines.slice(best.start).join("\n").slice(0, LONGEST_EXCERPT).trim();
}

function count(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Its words as stems, without small words. */
function words(text: string): string[] {
  return wordsOf(text).flatMap((word) => termOf(word) ?? []);
}
