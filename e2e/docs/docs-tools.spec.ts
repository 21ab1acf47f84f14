import { expect, type Page, test } from "@playwright/test";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";

/** What the documentation's pages are worked with: copying, tabs, the search, and the form that signs. */

const INDEX = "/docs/search.json";

async function openPage(page: Page, path: string): Promise<string[]> {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(BASE_URL + path);
  return asked;
}

test("what is shown is copied exactly, and the page says so", async ({ browser }) => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  await openPage(page, "/docs");
  await page.getByRole("button", { name: "Copy: Create a settlement" }).click();
  await expect(page.getByRole("button", { name: "Copied: Create a settlement" })).toBeFocused();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await page.locator("#quickstart-curl").evaluate((pre) => pre.textContent));
  await context.close();
});

test("a language that is chosen once is shown everywhere, by mouse and by keys, also after the page is loaded again", async ({ page }) => {
  await openPage(page, "/docs/quickstart");
  const step = page.getByRole("region", { name: "2. Get a quote" });
  await expect(step.getByRole("tabpanel", { name: "cURL" })).toBeVisible();
  await page.getByRole("region", { name: "1. Sign a request" }).getByRole("tab", { name: "Python" }).click();
  await expect(step.getByRole("tabpanel", { name: "Python" })).toContainText("client.settlements.create");
  await expect(step.getByRole("tabpanel", { name: "cURL" })).toBeHidden();
  await step.getByRole("tab", { name: "Python" }).press("ArrowRight");
  await expect(step.getByRole("tab", { name: "Go", selected: true })).toBeFocused();
  await page.reload();
  await expect(step.getByRole("tabpanel", { name: "Go" })).toBeVisible();
});

test("the search is a key away, asks for its index only then, and leads to the place", async ({ page }) => {
  const asked = await openPage(page, "/docs");
  expect(asked.filter((url) => url.includes(INDEX))).toEqual([]);
  const field = page.getByRole("searchbox", { name: "Search the documentation" });
  // The key works once the page is hydrated.
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(field).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.type("fiat out destination");
  const found = page.getByRole("list", { name: "Results" }).getByRole("link");
  await expect(found.first()).toContainText("Fiat in and out");
  await expect(page.getByRole("search").getByRole("status")).toHaveText(/^\d+ found$/);
  await page.keyboard.press("ArrowDown");
  await expect(found.first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  await page.keyboard.type("xylophone");
  await expect(page.getByText("Nothing found.")).toBeVisible();
  await field.fill("stale_timestamp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${BASE_URL}/docs/errors/stale_timestamp`);
  expect(asked.filter((url) => url.includes(INDEX)).length).toBe(1);
});

test("the form signs in the page with a sandbox's keys, and keeps none of them", async ({ page }) => {
  const asked = await openPage(page, "/docs/try-it");
  const answered = page.getByRole("status").filter({ has: page.getByRole("heading") });
  await page.getByLabel("API key").fill(sandbox.partner.api_key);
  await page.getByLabel("API secret").fill(sandbox.partner.api_secret);
  await page.getByRole("button", { name: "Sign and send" }).click();
  await expect(answered.getByRole("heading", { name: "Answered: 201" })).toBeVisible();
  await expect(answered).toContainText('"status": "quoted"');
  await page.getByLabel("Operation").selectOption({ label: "List settlements, newest first (GET)" });
  await page.getByLabel("Path and query").fill("/api/v1/settlements?limit=1&external_merchant_id=caf%C3%A9");
  await page.getByRole("button", { name: "Sign and send" }).click();
  await expect(answered.getByRole("heading", { name: "Answered: 200" })).toBeVisible();

  await page.getByLabel("API secret").fill("sec_another");
  await page.getByRole("button", { name: "Sign and send" }).click();
  await expect(answered).toContainText("signature_mismatch");
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept).not.toContain(sandbox.partner.api_secret);
  expect(kept).not.toContain(sandbox.partner.api_key);
  expect(asked.filter((url) => url.includes(sandbox.partner.api_secret))).toEqual([]);
  await page.reload();
  await expect(page.getByLabel("API secret")).toHaveValue("");
});

test("the form refuses keys of live mode, and what is not filled in, without asking anybody", async ({ page }) => {
  const asked = await openPage(page, "/docs/try-it");
  const send = page.getByRole("button", { name: "Sign and send" });
  await send.click();
  await expect(page.getByText("Fill in the API key.")).toBeVisible();
  await page.getByLabel("API key").fill("key_live_abc");
  await page.getByLabel("API secret").fill("sec_abc");
  await send.click();
  await expect(page.getByText("This is a key of live mode.")).toBeVisible();
  await page.getByLabel("API key").fill(sandbox.partner.api_key);
  await page.getByLabel("Operation").selectOption({ label: "Get a settlement with its undelivered callbacks (GET)" });
  await send.click();
  await expect(page.getByText("Put the tx_id into the path")).toBeVisible();
  expect(asked.filter((url) => url.includes("/api/v1/"))).toEqual([]);
});
