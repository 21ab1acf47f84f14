import { expect, type Page, test } from "@playwright/test";
import { rival } from "../support/client.ts";
import { advancePast, countdownError } from "../support/clock.ts";
import { browserOf, headerOf, open } from "../support/console.ts";
import { BASE_URL, chain } from "../support/running-sandbox.ts";
import { confirm, ended, find, freshWallet, pendingQuote, quote } from "../support/settlements.ts";

/** Looking for settlements, and at one. */

const idsOf = (page: Page) => page.locator("tbody [title^=tx_]").evaluateAll((all) => all.map((each) => each.getAttribute("title") ?? ""));

test("whatever was copied elsewhere opens the settlement it names, and says what it was taken for", async ({ browser }) => {
  const wallet = freshWallet();
  const reference = `order ${Date.now()}`;
  const merchant = `merchant-${Date.now()}`;
  const { tx_id } = await quote({ wallet_address: wallet, external_merchant_id: merchant });
  await confirm(tx_id, { external_tx_id: reference });
  const { tx_hash = "" } = await ended(tx_id);
  const page = await browserOf(browser, "viewer");
  const clues: [string, string][] = [
    [tx_id, "settlement id|tx id"],
    [reference, "external id"],
    [reference.slice(0, -2), "external id"],
    [merchant, "merchant"],
    [wallet, "wallet"],
    [wallet.toLowerCase(), "wallet"],
    [`${chain.chain}:${wallet}`, "wallet"],
    [tx_hash, "tx hash"],
    [`https://explorer.example/tx/${tx_hash}`, "tx hash"],
  ];
  for (const [text, taken] of clues) {
    await open(page, "/console/settlements");
    await page.getByRole("searchbox").fill(text);
    await page.getByRole("searchbox").press("Enter");
    await page.waitForURL((url) => url.pathname === `/console/settlements/${tx_id}`);
    await expect(page.getByText(new RegExp(`^Found by its (${taken})\\.$`)), text).toBeVisible();
  }
  await page.context().close();
});

test("what nobody has is said to be nothing, with the other readings at hand", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  await open(page, "/console/settlements");
  await page.getByRole("searchbox").fill("0x00000000000000000000000000000000000000aa");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByText("No match")).toBeVisible();
  await expect(page.getByText("Searched as wallet")).toBeVisible();
  await page.getByRole("button", { name: "external id" }).click();
  await expect(page.getByText("Searched as external id")).toBeVisible();
  await page.context().close();
});

test("filters and places are in the address: they survive reload, sharing and Back", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  const merchant = `filtered-${Date.now()}`;
  const one = await quote({ external_merchant_id: merchant });
  await quote({ external_merchant_id: merchant, source_amount: 200_000 });
  await quote();
  await open(page, "/console/settlements");
  await page.getByRole("button", { name: /^Filter/ }).click();
  const drawer = page.getByRole("dialog");
  // Focus arrives in it a moment after it shows.
  await expect(drawer.locator("h2")).toBeFocused();
  await drawer.getByLabel("Merchant").fill(` ${merchant} `);
  await drawer.getByLabel("Source currency").selectOption("KES");
  await drawer.getByLabel("Source amount from").fill("1,000.00");
  await drawer.getByLabel("to", { exact: true }).fill("1500");
  await drawer.getByRole("button", { name: "Show settlements" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(1);
  expect(await idsOf(page)).toEqual([one.tx_id]);
  const shared = page.url();
  const asked = Object.fromEntries(new URL(shared).searchParams);
  expect(asked).toEqual({ merchant, source: "KES", amount_from: "1000.00", amount_to: "1500" });
  await page.goBack();
  await expect(page).toHaveURL(`${BASE_URL}/console/settlements`);
  await page.goForward();
  await page.reload();
  await expect(page.locator("tbody tr")).toHaveCount(1);
  const other = await browserOf(browser, "admin");
  await other.goto(shared);
  await expect(other.locator("tbody tr")).toHaveCount(1);
  await page.getByRole("button", { name: "Remove the filter at most 1500 KES" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(2);
  await page.goBack();
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(page.locator("tbody tr").nth(2)).toBeVisible();
  await other.context().close();
  await page.context().close();
});

test("what is chosen in the filters is a draft: closing keeps the list, what cannot be is refused, Enter applies", async ({ browser }) => {
  const { tx_id, external_merchant_id } = await quote({ external_merchant_id: `drafted-${Date.now()}` });
  const page = await browserOf(browser, "viewer");
  await open(page, "/console/settlements");
  const drawer = page.getByRole("dialog");
  const merchant = drawer.getByLabel("Merchant");
  const from = drawer.getByLabel("Source amount from");
  const begin = async () => {
    await page.getByRole("button", { name: /^Filter/ }).click();
    await expect(drawer.locator("h2")).toBeFocused();
  };
  await begin();
  await merchant.fill("nobody");
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(page).toHaveURL(`${BASE_URL}/console/settlements`);
  await begin();
  await expect(merchant).toHaveValue("");
  await expect(from).toBeDisabled();
  await drawer.getByLabel("Source currency").selectOption("KES");
  await from.fill("a lot");
  await from.press("Enter");
  await expect(from).toBeFocused();
  expect(await from.evaluate((field: HTMLInputElement) => field.validity.patternMismatch)).toBe(true);
  await drawer.getByRole("button", { name: "Clear all" }).click();
  await expect(from).toHaveValue("");
  await merchant.fill(external_merchant_id);
  await merchant.press("Enter");
  await expect(page).toHaveURL(`${BASE_URL}/console/settlements?merchant=${external_merchant_id}`);
  await expect(page.locator("tbody tr")).toHaveCount(1);
  expect(await idsOf(page)).toEqual([tx_id]);
  await page.context().close();
});

test("walking to the end while others are created neither skips nor repeats, and nothing moves by itself", async ({ browser }) => {
  const merchant = `walked-${Date.now()}`;
  const create = async (count: number) => {
    const made: string[] = [];
    while (made.length < count)
      made.push(...(await Promise.all([1, 2, 3, 4, 5].map(async () => (await quote({ external_merchant_id: merchant })).tx_id))));
    return made;
  };
  const made = new Set(await create(60));
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements?merchant=${merchant}`);
  await expect(page.locator("tbody tr")).toHaveCount(25);
  const first = await idsOf(page);
  await quote({ external_merchant_id: merchant });
  await expect(page.getByRole("button", { name: "1 new settlement" })).toBeVisible();
  expect(await idsOf(page)).toEqual(first);
  const walked = [...first];
  for (let pages = 0; pages < 2; pages += 1) {
    await page.getByRole("button", { name: "Older" }).click();
    await expect(page.locator("tbody [title^=tx_]").first()).not.toHaveAttribute("title", walked.at(-25) ?? "");
    await create(25);
    walked.push(...(await idsOf(page)));
  }
  expect(walked).toHaveLength(60);
  expect(new Set(walked)).toEqual(made);
  await expect(page.getByRole("button", { name: "Older" })).toBeDisabled();
  // The place is in the address.
  const other = await browserOf(browser, "admin");
  await Promise.all([page.reload(), other.goto(page.url())]);
  for (const each of [page, other]) await expect.poll(() => idsOf(each)).toEqual(walked.slice(50));
  await page.goBack();
  await expect.poll(() => idsOf(page)).toEqual(walked.slice(25, 50));
  await page.getByRole("button", { name: "Newer" }).click();
  await expect.poll(async () => (await idsOf(page))[0]).toBe(walked[0]);
  await other.context().close();
  await page.context().close();
});

test("amounts are those of the API to the last digit, and the arithmetic of the price adds up", async ({ browser }) => {
  const settlement = await quote({ source_amount: 123_457 });
  const page = await browserOf(browser, "owner");
  await open(page, `/console/settlements/${settlement.tx_id}`);
  const exact = (value: number) => value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 8 });
  await expect(page.getByRole("heading", { level: 1 })).toContainText("1,234.57 KES");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(
    `${exact(settlement.destination_amount)} ${settlement.destination_currency}`,
  );
  const line = (name: string) =>
    page
      .getByRole("table", { name: "Arithmetic of the price" })
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name }) })
      .locator("td")
      .first();
  const units = async (name: string) =>
    BigInt((await line(name).innerText()).replaceAll(/[^\d.]/g, "").replace(/\.(\d+)$/, (_, digits: string) => digits.padEnd(6, "0")));
  expect((await units("Gross")) - (await units("Platform fee"))).toBe(await units("Net to the wallet"));
  await expect(line("Net to the wallet")).toHaveText(exact(settlement.destination_amount));
  // The operator's margin is the operator's.
  await expect(page.getByText("Mid rate")).toHaveCount(0);
  await page.getByText(`GET /api/v1/settlements/${settlement.tx_id}`).click();
  expect(JSON.parse(await page.getByLabel("Answer of the API").locator("code").innerText())).toEqual(await find(settlement.tx_id));
  await page.context().close();
});

test("a partner's people see only their own: by address, list, search and call", async ({ browser }) => {
  const foreign = await quote({ external_merchant_id: `foreign-${Date.now()}` }, rival);
  const page = await browserOf(browser, "staff");
  expect((await page.goto(`${BASE_URL}/console/settlements/${foreign.tx_id}`))?.status()).toBe(404);
  const partner = new URLSearchParams({ merchant: foreign.external_merchant_id });
  await open(page, `/console/settlements?${partner}`);
  await expect(page.getByText("No match")).toBeVisible();
  await open(page, `/console/settlements?q=${foreign.tx_id}`);
  await expect(page.getByText("No match")).toBeVisible();
  const ask = async (path: string, input: object) => {
    const answer = await page.request.get(`${BASE_URL}/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
    return { status: answer.status(), text: await answer.text() };
  };
  expect((await ask("settlements.byId", { tx_id: foreign.tx_id })).status).toBe(404);
  expect((await ask("settlements.rows", { tx_ids: [foreign.tx_id] })).text).toBe('{"result":{"data":[]}}');
  expect((await ask("settlements.list", { merchant: foreign.external_merchant_id })).text).not.toContain(foreign.tx_id);
  expect((await ask("settlements.choices", {})).text).toContain('"partners":[]');
  await page.context().close();
});

test("a lapsed quote is shown as lapsed while the API goes on saying quoted, and a pending one is not", async ({ browser }) => {
  const plain = await quote();
  const pending = await pendingQuote();
  await advancePast(plain.expires_at);
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements/${plain.tx_id}`);
  await expect(headerOf(page).getByText("Quote lapsed", { exact: true })).toBeVisible();
  expect((await find(plain.tx_id)).status).toBe("quoted");
  await open(page, `/console/settlements/${pending.tx_id}`);
  await expect(headerOf(page).getByText("Awaiting approval", { exact: true })).toBeVisible();
  await page.context().close();
});

test("a browser whose clock is wrong counts down by the server's", async ({ browser }) => {
  const settlement = await quote();
  for (const skewMs of [-600_000, 600_000]) {
    const page = await browserOf(browser, "viewer");
    await page.addInitScript((skew) => {
      const real = Date.now;
      Date.now = () => real() + skew;
    }, skewMs);
    await open(page, `/console/settlements/${settlement.tx_id}`);
    await expect.poll(() => countdownError(page.getByRole("timer"), settlement.expires_at)).toBeLessThanOrEqual(2);
    await page.context().close();
  }
});
