import { findElement, type Tree, textOf } from "./tree.ts";

/** A linkable part of a page, and its text. `id` null: the page's beginning. */
export type SearchSection = { id: string | null; heading: string; text: string };

/** Enough for the fields of the longest operation. */
const SHOWN = 6_000;

/** Left out of the index: most words of a program say nothing about a place. */
const LEFT_OUT = new Set(["h1", "button", "nav", "pre", "figcaption"]);

/** A page's parts by its second-level headings, each with the beginning of its text: the search's index. */
export function sectionsOf(main: readonly Tree[]): SearchSection[] {
  const sections: { id: string | null; heading: string; words: string[] }[] = [{ id: null, heading: "", words: [] }];
  const walk = (tree: Tree): void => {
    if (typeof tree === "string") {
      sections.at(-1)?.words.push(tree);
      return;
    }
    if (LEFT_OUT.has(tree.tag)) return;
    if (tree.tag === "h2") sections.push({ id: tree.id, heading: textOf(tree), words: [] });
    else {
      if (!INSIDE_A_LINE.has(tree.tag)) sections.at(-1)?.words.push(" ");
      for (const child of tree.children) walk(child);
      if (!INSIDE_A_LINE.has(tree.tag)) sections.at(-1)?.words.push(" ");
    }
  };
  for (const tree of main) walk(tree);
  const heading = textOf(findElement(main, "h1") ?? "");
  return sections.map(({ words, ...section }) => ({
    ...section,
    heading: section.heading || heading,
    text: words.join("").replace(/\s+/g, " ").trim().slice(0, SHOWN),
  }));
}

/** A linkable second-level heading. */
export type Heading = { id: string; heading: string };

/** The second-level headings with an id, in the order of the page. */
export function headingsOf(trees: readonly Tree[]): Heading[] {
  return trees.flatMap((tree): Heading[] => {
    if (typeof tree === "string") return [];
    if (tree.tag !== "h2") return headingsOf(tree.children);
    return tree.id === null ? [] : [{ id: tree.id, heading: textOf(tree) }];
  });
}

const INSIDE_A_LINE = new Set(["a", "b", "code", "em", "span", "strong", "sup"]);
