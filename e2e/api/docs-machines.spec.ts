import { expect, test } from "@playwright/test";
import { PAGES } from "#app/docs/_parts/pages.ts";
import { REFUSAL_CODES } from "#domain/refusal.ts";
import { BASE_URL } from "../support/running-sandbox.ts";

/** The documentation as programs read it: Markdown of every page, the lists of them, and what the search looks into. */

const PATHS = [...PAGES.map(({ path }) => path), ...REFUSAL_CODES.map((code) => `/docs/errors/${code}`)];

async function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; type: string; text: string }> {
  const answer = await fetch(BASE_URL + path, { headers });
  return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text() };
}

/** The name of a place that links lead to. */
const ANCHOR = /<a id="([^"]+)"><\/a>\n*/g;

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

test("every page is there as Markdown, with every heading that its HTML has", async () => {
  for (const path of PATHS) {
    const [page, markdown] = await Promise.all([get(path), get(`${path}.md`)]);
    expect([page.status, markdown.status, markdown.type], path).toEqual([200, 200, "text/markdown; charset=utf-8"]);
    const headings = [...page.text.matchAll(/<h[12][^>]*>(.*?)<\/h[12]>/g)].map(([, inner = ""]) => plain(inner));
    const outsideOfCode = markdown.text.replace(/^```.*?^```$/gms, "").replace(ANCHOR, "");
    const titles = outsideOfCode.split("\n").filter((line) => /^##? /.test(line));
    expect(
      titles.map((line) => line.replace(/^##? /, "").replaceAll("`", "").trim()),
      path,
    ).toEqual(headings.map((each) => each.replaceAll("`", "").trim()));
    expect(outsideOfCode, path).not.toMatch(/\[object |undefined|<\/?(?:p|div|code|a)\b/);
    // A page with a form at least says what the form is for.
    expect(`${outsideOfCode.trimEnd()}\n`, `${path}: a heading with nothing under it`).not.toMatch(/^##? .*\n+(?=##? |$(?![\s\S]))/m);
  }
});

test("a link to a place on a page leads to that place in its Markdown", async () => {
  const places = new Map<string, Set<string>>();
  const links: string[] = [];
  for (const path of PATHS) {
    const { text } = await get(`${path}.md`);
    places.set(`${BASE_URL}${path}.md`, new Set([...text.matchAll(ANCHOR)].map(([, id = ""]) => id)));
    for (const [, link = ""] of text.matchAll(/\]\(([^()\s]*#[^()\s]+)\)/g))
      links.push(link.startsWith("#") ? `${BASE_URL}${path}.md${link}` : link);
  }
  const own = links.filter((link) => link.startsWith(`${BASE_URL}/docs`));
  expect(own.length).toBeGreaterThan(20);
  const lost = own.filter((link) => {
    const [page = "", place = ""] = link.split("#");
    return !places.get(page)?.has(place);
  });
  expect(lost).toEqual([]);
});

test("a request for Markdown gets it; a page that does not exist has none", async () => {
  expect((await get("/docs/signing", { accept: "text/markdown" })).type).toContain("text/markdown");
  expect((await get("/docs", { accept: "text/markdown, text/html;q=0.8" })).type).toContain("text/markdown");
  expect((await get("/docs/signing", { accept: "text/html,*/*" })).type).toContain("text/html");
  const negotiated = await fetch(`${BASE_URL}/docs/signing`, { headers: { accept: "text/markdown" } });
  expect(negotiated.headers.get("cache-control"), "no cache between shows it to a browser").toBe("private, no-store");
  expect(negotiated.headers.get("vary")).toContain("Accept");
  for (const path of ["/docs/nothing.md", "/docs/errors/nothing.md", "/docs/_parts.md"]) expect((await get(path)).status, path).toBe(404);
});

test("llms.txt lists every page, each link of it answers, and llms-full.txt is all of them", async () => {
  const list = await get("/llms.txt");
  const links = [...list.text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  for (const path of PATHS) expect(links).toContain(`${BASE_URL}${path}.md`);
  for (const link of links) expect((await fetch(link)).status, link).toBe(200);
  const whole = await get("/llms-full.txt");
  for (const path of ["/docs/signing", "/docs/errors/quote_expired"]) expect(whole.text).toContain((await get(`${path}.md`)).text);
});

test("the search looks into every page, and each place in it is one on its page", async () => {
  const { text } = await get("/docs/search.json");
  const index: { path: string; title: string; sections: { id: string | null; heading: string; text: string }[] }[] = JSON.parse(text);
  expect(index.map(({ path }) => path)).toEqual(PATHS);
  for (const { path, sections } of index) {
    const page = await get(path);
    for (const { id, heading } of sections) {
      expect(heading, path).not.toBe("");
      if (id !== null) expect(page.text, `${path}#${id}`).toContain(`id="${id}"`);
    }
  }
});
