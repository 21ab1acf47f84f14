import { execFileSync } from "node:child_process";
import { expect, type Page, test } from "@playwright/test";
import { PAGES as DOCUMENTED } from "#app/docs/_parts/pages.ts";
import { CHANGES } from "#contract/changes.ts";
import { proveSettlementOperation } from "#contract/settlement/v1/proof.ts";
import { REFUSAL_CODES } from "#domain/refusal.ts";
import { expectNoSidewaysScroll, faultsInBothThemes, titleOfSound } from "../support/accessibility.ts";
import { read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, quote } from "../support/settlements.ts";

/** The partners' documentation, as a browser shows it. */

const PAGES = [...DOCUMENTED.map(({ path }) => path), "/docs/errors/signature_mismatch", "/no-such-page"];
const WIDTHS = [1280, 390] as const;

/** What must never happen on a page: a script error, a blocked resource, a request to another origin. */
function watch(page: Page): string[] {
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    // The browser's own message that a missing page answered 404.
    if (message.type() === "error" && !message.text().includes("status of 404")) troubles.push(message.text());
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(BASE_URL).origin) troubles.push(`a request to ${request.url()}`);
  });
  return troubles;
}

test("each page is readable for everybody, wide and on a phone, with one heading, one main part, its own title and a skip link that works", async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const context = await browser.newContext();
  const page = await context.newPage();
  const troubles = watch(page);
  const titles = new Set<string>();
  for (const path of PAGES) {
    await page.setViewportSize({ width: WIDTHS[0], height: 900 });
    await page.goto(BASE_URL + path, { waitUntil: "load" });
    titles.add(await titleOfSound(page, path));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await faultsInBothThemes(page), `${path}, ${width} wide`).toEqual([]);
      await expectNoSidewaysScroll(page, `${path}, ${width} wide,`);
    }
  }
  expect(titles.size).toBe(PAGES.length);
  expect(troubles).toEqual([]);
  await context.close();
});

/** Where a page's links lead, and what a link into it can name. The browser reads the page without showing it, which is a tenth of the work. */
async function linksIn(page: Page, html: string): Promise<{ links: string[]; targets: string[] }> {
  return await page.evaluate((text) => {
    const read = new DOMParser().parseFromString(text, "text/html");
    const links = [...read.querySelectorAll("a[href]")].map((each) => each.getAttribute("href") ?? "");
    return { links, targets: [...read.querySelectorAll("[id]")].map(({ id }) => id) };
  }, html);
}

test("the root leads to the console, whose sign-in leads to the documentation, and from there every page and every error is reached by links that work", async ({
  page,
}) => {
  await page.goto(BASE_URL);
  expect(page.url()).toBe(`${BASE_URL}/console/sign-in`);
  await page.getByRole("link", { name: "documentation" }).click();
  await page.waitForURL(`${BASE_URL}/docs`);
  const seen = new Set<string>();
  const waiting = ["/docs"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await page.request.get(BASE_URL + path);
    expect(answer.status(), path).toBe(200);
    if (!answer.headers()["content-type"]?.startsWith("text/html")) continue;
    const { links, targets } = await linksIn(page, await answer.text());
    for (const link of links) {
      const { pathname, hash, origin } = new URL(link, BASE_URL + path);
      expect(origin, link).toBe(new URL(BASE_URL).origin);
      if (hash !== "" && pathname === path) expect(targets, `${path}${hash}`).toContain(hash.slice(1));
      waiting.push(pathname);
    }
  }
  for (const code of REFUSAL_CODES) expect(seen).toContain(`/docs/errors/${code}`);
});

test("an error's page says what it means and what to do; a code that does not exist has none", async ({ page }) => {
  await page.goto(`${BASE_URL}/docs/errors/quote_expired`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("quote_expired");
  await expect(page.getByRole("main")).toContainText("410");
  await expect(page.getByRole("heading", { name: "What to do" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("expired_at");
  for (const unknown of ["quote_expire", "toString", "QUOTE_EXPIRED"]) {
    expect((await page.goto(`${BASE_URL}/docs/errors/${unknown}`))?.status(), unknown).toBe(404);
  }
});

test("the first request works as pasted, with a key and its secret filled in", async ({ page }) => {
  await page.goto(`${BASE_URL}/docs`);
  const script = (await page.locator("#quickstart-curl").innerText())
    .replace("<API_KEY>", sandbox.partner.api_key)
    .replace("<API_SECRET>", sandbox.partner.api_secret);
  const answer: unknown = JSON.parse(execFileSync("bash", ["-euo", "pipefail", "-c", script], { encoding: "utf8" }));
  expect(answer).toMatchObject({ status: "quoted", source_amount: 12_950_000, source_currency: "KES", approval_state: null });
});

test("pages carry their security headers, and each answer a nonce of its own", async ({ request }) => {
  const policies = new Set<string>();
  for (const path of [...PAGES, "/docs"]) {
    const headers = (await request.get(BASE_URL + path)).headers();
    const policy = headers["content-security-policy"] ?? "";
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]{20,}'(;|$)/);
    expect(policy, path).not.toMatch(/unsafe|\*|https?:/);
    expect(headers, path).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-frame-options": "DENY",
    });
    policies.add(policy);
  }
  expect(policies.size).toBe(PAGES.length + 1);
});

test("what is no page of ours carries them too", async ({ request }) => {
  for (const path of ["/loginfoo", "/partnersx", "/_next/x", "/_next/static/x.js", "/api/auth/verify-request", "/api/trpc/nothing"]) {
    const headers = (await request.get(BASE_URL + path, { maxRedirects: 0 })).headers();
    expect(headers["content-security-policy"], path).toContain("frame-ancestors 'none'");
    expect(headers, path).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
  }
});

test("on a phone the pages are one tap away", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${BASE_URL}/docs`);
  await page.getByText("Pages", { exact: true }).click();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Callbacks", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Callbacks");
  await context.close();
});

test("a page lists its own headings, and leads to each of them, on a phone too", async ({ browser }) => {
  for (const width of WIDTHS) {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${BASE_URL}/docs/signing`);
    const contents = page.getByRole("navigation", { name: "On this page" });
    if (width === 390) await contents.getByText("On this page").click();
    const listed = await contents.getByRole("link").allInnerTexts();
    expect(listed).toEqual(await page.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts());
    await contents.getByRole("link", { name: "How the server checks" }).click();
    await expect(page.getByRole("heading", { name: "How the server checks" })).toBeInViewport();
    await context.close();
  }
});

test("from the first page, Next leads through every page in reading order, and Previous back", async ({ page }) => {
  await page.goto(BASE_URL + (DOCUMENTED[0]?.path ?? ""));
  const neighbours = page.getByRole("navigation", { name: "Previous and next page" });
  for (const { path } of DOCUMENTED.slice(1)) {
    await neighbours.locator("a[rel=next]").click();
    await page.waitForURL(BASE_URL + path);
  }
  await expect(neighbours.locator("a[rel=next]")).toHaveCount(0);
  await neighbours.locator("a[rel=prev]").click();
  await page.waitForURL(BASE_URL + (DOCUMENTED.at(-2)?.path ?? ""));
});

test("the changelog is a feed, with each change under an id that leads to its place", async ({ page }) => {
  await page.goto(`${BASE_URL}/docs/changelog`);
  const feed = await page.locator("link[type='application/atom+xml']").getAttribute("href");
  const answer = await page.request.get(`${BASE_URL}${feed}`);
  expect(answer.headers()["content-type"]).toBe("application/atom+xml; charset=utf-8");
  const entries = await page.evaluate(
    (text) => {
      const document = new DOMParser().parseFromString(text, "application/xml");
      if (document.querySelector("parsererror") !== null) throw new Error("the feed is not XML");
      return [...document.querySelectorAll("entry")].map((entry) => ({
        id: entry.querySelector("id")?.textContent ?? "",
        content: entry.querySelector("content")?.textContent ?? "",
      }));
    },
    await answer.text(),
  );
  expect(entries.map(({ content }) => content)).toEqual(CHANGES.map(({ text }) => text));
  expect(new Set(entries.map(({ id }) => id)).size).toBe(CHANGES.length);
  for (const { id, content } of entries) {
    expect(id).toContain(`${BASE_URL}/docs/changelog#`);
    await expect(page.locator(new URL(id).hash)).toContainText(content);
  }
});

test("a receipt is checked in the page, by a link alone; one character changed, and it proves nothing", async ({ page }) => {
  const troubles = watch(page);
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  const { receipt } = read(proveSettlementOperation, await partner.get(`/api/v1/settlements/${tx_id}/proof`));
  await page.goto(`${BASE_URL}/docs/proofs#${receipt}`);
  await expect(page.getByRole("heading", { name: "A receipt: paid and final" })).toBeVisible();
  await expect(page.getByRole("status")).toContainText(tx_id);
  const text = String(receipt);
  await page.getByRole("textbox", { name: "Proof" }).fill(`${text.slice(0, 200)}${text[200] === "A" ? "B" : "A"}${text.slice(201)}`);
  await expect(page.getByRole("status")).toContainText("Not proven.");
  await page.getByRole("textbox", { name: "Proof" }).fill("hello");
  await expect(page.getByRole("status")).toContainText("This is no proof");
  expect(troubles).toEqual([]);
});
