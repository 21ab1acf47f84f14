import { type Browser, expect, type Page, test } from "@playwright/test";
import { acknowledge, browserOf, dialogOf, footOf, open, panelOf } from "../support/console.ts";
import { find, pendingQuote, quote } from "../support/settlements.ts";

/** The palette over the page: keys that somebody types for it reach nothing else, however fast they come and however late it is loaded. */

const field = (page: Page) => page.getByRole("combobox", { name: "Search settlements, pages and commands" });

/** The approval queue, where `a` opens a dialog that pays and `j` moves the choice. */
async function inQueue(browser: Browser): Promise<Page> {
  await quote({ source_amount: 251_000_000, external_merchant_id: `console-palette-${Date.now()}` });
  const page = await browserOf(browser, "approver");
  await open(page, "/console/approvals");
  await expect(page.getByRole("list", { name: "Awaiting approval" }).getByRole("listitem").first()).toBeVisible();
  return page;
}

test("every key typed after Ctrl+K arrives in the search, also while the palette is still loading", async ({ browser }) => {
  const page = await inQueue(browser);
  // The palette is a separate file, which a slow network delivers late.
  await page.route("**/_next/static/chunks/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("approvals");
  await expect(field(page)).toHaveValue("approvals");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("again");
  await expect(field(page)).toHaveValue("again");
  await page.context().close();
});

test("a dialog that closes leaves the focus to the palette that was opened after it", async ({ browser }) => {
  const page = await inQueue(browser);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("harbour");
  await expect(field(page)).toHaveValue("harbour");
  await expect(footOf(page)).toHaveCount(0);
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await page.context().close();
});

test("commands act on the chosen object, names lead to it, and the objects seen last come first", async ({ browser }) => {
  const { tx_id, external_merchant_id: merchant } = await pendingQuote({ external_merchant_id: `console-commands-${Date.now()}` });
  const page = await browserOf(browser, "approver", { permissions: ["clipboard-read", "clipboard-write"] });
  const option = (name: string | RegExp) => dialogOf(page).getByRole("option", { name }).first();
  const choose = async (typed: string, name: string | RegExp) => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(typed);
    await expect(option(name)).toBeVisible();
    await option(name).click();
    await expect(field(page)).toHaveCount(0);
  };
  // A list's current row.
  await open(page, "/console/settlements");
  await page.locator("tr").filter({ hasText: merchant }).getByRole("cell").nth(1).click();
  await expect(page.locator("tr[data-active]")).toContainText(merchant);
  await choose("copy wallet", new RegExp(`^Copy wallet ?${merchant}$`));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe((await find(tx_id)).wallet_address);
  await choose("reject", new RegExp(`^Reject ?${merchant}$`));
  await expect(footOf(page).getByRole("button", { name: "Reject settlement" })).toBeVisible();
  // The panel's buttons, under the name of what they decide on.
  await open(page, `/console/approvals?tx=${tx_id}`);
  await choose("approve", new RegExp(`^Approve .*${merchant}$`));
  await expect(page.locator("#review-heading")).toBeFocused();
  await expect(panelOf(page)).toContainText(merchant);
  await acknowledge(page);
  await expect(footOf(page).getByRole("button", { name: /^Approve / })).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  await expect(footOf(page)).toHaveCount(0);
  expect((await find(tx_id)).approval_state).toBe("approved");
  // By name.
  await choose("demo part", /^Demo Partner ?Partner$/);
  await page.waitForURL(/\/console\/partners\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Demo Partner");
  await expect.poll(() => page.evaluate(() => window.sessionStorage.getItem("recent pages") ?? "")).toContain("/console/partners/");
  await open(page, "/console/treasury");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(dialogOf(page).getByRole("option").first()).toContainText("Partner ");
  await page.keyboard.type("top up");
  await expect(option(/^Top up/)).toBeVisible();
  await page.context().close();
});
