import { type Browser, expect, type Page, test } from "@playwright/test";
import { browserOf, footOf, open } from "../support/console.ts";
import { quote } from "../support/settlements.ts";

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
