import { createElement, type ReactNode } from "react";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { REFUSAL_CODES } from "#domain/refusal.ts";
import { PAGES } from "../_parts/pages.ts";
import { readSite } from "../_parts/site.ts";
import { type SearchSection, sectionsOf } from "./sections.ts";
import { findElement, type Tree, treeOf } from "./tree.ts";
import { writeMarkdown } from "./write.ts";

type Page = { default: (props: { params: Promise<{ code: string; group: string }> }) => ReactNode | Promise<ReactNode> };
type Listed = { path: string; title: string; summary: string };

const ERRORS = "/docs/errors";

/** Every page of the documentation by its folder, including new ones. */
const MODULES = import.meta.glob<Page>("../**/page.tsx");

/** In reading order, then a page for each error. */
export const ALL_PAGES: readonly Listed[] = [
  ...PAGES,
  ...REFUSAL_CODES.map((code) => ({ path: `${ERRORS}/${code}`, title: code, summary: `${REFUSAL_STATUS[code].title}.` })),
];

const read = new Map<string, Promise<readonly Tree[]>>();

/**
 * A page's main content; null: there is no such page. Pages change only with the code and the settings, so each process reads each page
 * once.
 */
async function readPage(path: string): Promise<readonly Tree[] | null> {
  if (!ALL_PAGES.some((page) => page.path === path)) return null;
  const known = read.get(path) ?? walkPage(path);
  read.set(path, known);
  return await known;
}

async function walkPage(path: string): Promise<readonly Tree[]> {
  const [, parent = "", name = ""] = /^\/docs\/(errors|reference)\/(.+)$/.exec(path) ?? [];
  const folder = name === "" ? path.slice("/docs".length) : `/${parent}/[${parent === "errors" ? "code" : "group"}]`;
  const load = MODULES[`..${folder}/page.tsx`];
  if (load === undefined) throw new Error(`${path} is listed, and there is no app${folder}/page.tsx below app/docs`);
  const { default: component } = await load();
  const trees = await treeOf(createElement(component, { params: Promise.resolve({ code: name, group: name }) }));
  return findElement(trees, "main")?.children ?? [];
}

/** The page as Markdown; null: there is no such page. Links are absolute, and lead to the Markdown of their target. */
export async function markdownOf(path: string): Promise<string | null> {
  const trees = await readPage(path);
  return trees && writeMarkdown(trees, linkFor);
}

function linkFor(href: string): string | null {
  if (href.startsWith("#")) return href;
  const [path = "", place] = href.split("#");
  const { baseUrl } = readSite();
  if (ALL_PAGES.some((page) => page.path === path)) return `${baseUrl}${markdownPath(path)}${place === undefined ? "" : `#${place}`}`;
  return href.startsWith("/") ? `${baseUrl}${href}` : href;
}

export function markdownPath(path: string): string {
  return `${path}.md`;
}

/** All pages as one Markdown text, each preceded by its URL. */
export async function wholeMarkdown(): Promise<string> {
  const { baseUrl } = readSite();
  const texts = await Promise.all(ALL_PAGES.map(async ({ path }) => `Source: ${baseUrl}${path}\n\n${await markdownOf(path)}`));
  return texts.join("\n---\n\n");
}

/** The list of pages for programs that read them (llmstxt.org). */
export function pageList(): string {
  const { baseUrl } = readSite();
  const line = ({ path, title, summary }: Listed) => `- [${title}](${baseUrl}${markdownPath(path)}): ${summary}`;
  return `# Settlement service

> Partners turn their merchants' fiat into crypto: a signed request gets a quote with a guaranteed rate, a confirmation sends the crypto on chain exactly once, a signed callback reports the outcome.

All of it in one text: [llms-full.txt](${baseUrl}/llms-full.txt)

## Documentation

${PAGES.map(line).join("\n")}

## Machine-readable

- [settlement.json](${baseUrl}/openapi/settlement.json): OpenAPI 3.1 of the settlement surface, callbacks included (also as [YAML](${baseUrl}/openapi/settlement.yaml))
- [partner.json](${baseUrl}/openapi/partner.json): OpenAPI 3.1 of the partner-management surface (also as [YAML](${baseUrl}/openapi/partner.yaml))
- [events.json](${baseUrl}/asyncapi/events.json): AsyncAPI 3.0 of the events (also as [YAML](${baseUrl}/asyncapi/events.yaml))
- [feed.atom](${baseUrl}/docs/changelog/feed.atom): the changelog as an Atom feed
- [postman.json](${baseUrl}/docs/postman.json): a Postman collection that signs
- [signing-vectors.json](${baseUrl}/docs/signing-vectors.json): requests with their signatures, to test against

## Optional

${ALL_PAGES.slice(PAGES.length).map(line).join("\n")}
`;
}

/** The search's index. */
export async function searchIndex(): Promise<{ path: string; title: string; sections: SearchSection[] }[]> {
  return await Promise.all(ALL_PAGES.map(async ({ path, title }) => ({ path, title, sections: sectionsOf((await readPage(path)) ?? []) })));
}
