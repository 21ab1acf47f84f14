import MiniSearch from "minisearch";
import { askedFor, termOf, wordsOf } from "../_content/search-terms.ts";

/** The documentation's search, by MiniSearch, in the browser: its index is built of the sections in some milliseconds. */

export type IndexedPage = { path: string; title: string; sections: { id: string | null; heading: string; text: string }[] };
export type Found = { href: string; title: string; heading: string; excerpt: string };
type Place = { href: string; title: string; heading: string; text: string };

const MOST = 12;
const EXCERPT = 120;
const WEIGHTS = { heading: 5, title: 3, text: 1 };
/** A synonym says less than the word itself. */
const SYNONYM_WEIGHT = 0.6;
/** Guides answer questions. The pages of errors and operations come first only when a code or a field is asked for. */
const LESS: readonly (readonly [beginning: string, weight: number])[] = [
  ["/docs/errors/", 0.3],
  ["/docs/reference/", 0.5],
];
/** From this length on, a typing mistake is forgiven: one letter in five. */
const LONG = 5;
const MISTAKES = 0.2;

export type SearchIndex = (question: string) => Found[];

/** A search over these pages: the sections with each of the words, or a synonym; if there are none, those with any of them. Best first. */
export function indexOf(pages: readonly IndexedPage[]): SearchIndex {
  const places = new Map<number, Place>();
  const index = new MiniSearch<Place & { key: number }>({
    idField: "key",
    fields: Object.keys(WEIGHTS),
    tokenize: wordsOf,
    processTerm: termOf,
  });
  for (const { path, title, sections } of pages) {
    for (const { id, heading, text } of sections) {
      const place = { href: id === null ? path : `${path}#${id}`, title, heading, text };
      index.add({ key: places.size, ...place });
      places.set(places.size, place);
    }
  }
  return (question) => {
    const asked = askedFor(question);
    if (asked.length === 0) return [];
    const queries = asked.map(alternatives);
    // These are stems already: they must not be shortened once more.
    const namesCode = asked.some(([word]) => word?.includes("_"));
    const options = {
      boost: WEIGHTS,
      tokenize: (term: string) => [term],
      processTerm: (term: string) => term,
      boostDocument: (key: number) => (namesCode ? 1 : (LESS.find(([beginning]) => places.get(key)?.href.startsWith(beginning))?.[1] ?? 1)),
    };
    const all = index.search({ combineWith: "AND", queries }, options);
    const found = all.length > 0 ? all : index.search({ combineWith: "OR", queries }, options);
    return found.slice(0, MOST).flatMap(({ id, terms }) => {
      const place = places.get(Number(id));
      return place === undefined ? [] : [shown(place, terms)];
    });
  };
}

function alternatives(words: readonly string[]) {
  return {
    combineWith: "OR" as const,
    queries: words.map((word, place) => ({
      queries: [word],
      prefix: true,
      fuzzy: place === 0 && word.length >= LONG && !word.includes("_") ? MISTAKES : false,
      boostTerm: () => (place === 0 ? 1 : SYNONYM_WEIGHT),
    })),
  };
}

/** A place with the text around the first of the words. */
function shown({ href, title, heading, text }: Place, terms: readonly string[]): Found {
  const lower = text.toLowerCase();
  const at = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...(at.length === 0 ? [0] : at)) - EXCERPT / 3);
  const cut = text.slice(from, from + EXCERPT);
  return { href, title, heading, excerpt: `${from > 0 ? "…" : ""}${cut}${from + EXCERPT < text.length ? "…" : ""}` };
}
