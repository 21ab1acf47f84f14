import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { browserOf, footOf, open, panelOf } from "../support/console.ts";
import { approve, find, freshWallet, pendingQuote } from "../support/settlements.ts";

/** What a decision depends on is visible where it is made: the recipient, the warnings, and whether there is still anything to decide. */

const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const LONG_NAME = "Harbour Wholesale and Retail Cooperative of Mombasa";

async function waiting() {
  const wallet = freshWallet();
  const settlement = await pendingQuote({ external_merchant_id: `${LONG_NAME} ${Date.now()}`, wallet_address: wallet });
  return { settlement, wallet, merchant: settlement.external_merchant_id };
}

async function deciding(browser: Browser, txId: string, key: "a" | "r", viewport = VIEWPORTS[0]): Promise<Page> {
  const page = await browserOf(browser, "approver", viewport === undefined ? {} : { viewport });
  await open(page, `/console/settlements/${txId}`);
  await page.keyboard.press(key);
  await expect(footOf(page)).toBeVisible();
  return page;
}

/** No line of it is cut. */
const isWhole = (element: Locator) => element.evaluate((shown) => shown.scrollWidth <= shown.clientWidth);

/** Its lower edge is not under the foot of the panel. */
const isOnTop = (element: Locator) =>
  element.evaluate((shown) => {
    const { left, bottom } = shown.getBoundingClientRect();
    const found = document.elementFromPoint(left + 4, bottom - 4);
    return found !== null && (shown.contains(found) || found.contains(shown));
  });

for (const viewport of VIEWPORTS) {
  test(`partner, merchant, the whole wallet and every hint are in view where one commits, ${viewport.width} wide`, async ({ browser }) => {
    const { settlement, wallet, merchant } = await waiting();
    for (const key of ["a", "r"] as const) {
      const page = await deciding(browser, settlement.tx_id, key, viewport);
      const panel = panelOf(page);
      const recipient = panel.getByRole("region", { name: "Recipient" });
      await expect(recipient).toContainText("Demo Partner");
      await expect(recipient).toContainText(merchant);
      await expect(recipient).toContainText(wallet);
      await expect(recipient).toContainText("First use");
      const warning = panel.getByRole("list", { name: "Warnings" }).getByText("First use of wallet");
      const commit = footOf(page).getByRole("button", { name: /^(Approve|Reject) / });
      for (const part of [recipient, warning, commit]) await expect(part).toBeInViewport({ ratio: 1 });
      // Nothing lies over them.
      for (const part of [recipient, warning]) expect(await isOnTop(part)).toBe(true);
      expect(await isWhole(recipient)).toBe(true);
      await page.context().close();
    }
  });

  test(`a row of the queue names partner and merchant in full next to its hints, ${viewport.width} wide`, async ({ browser }) => {
    const { settlement, merchant } = await waiting();
    const page = await browserOf(browser, "approver", { viewport });
    await open(page, "/console/approvals");
    const row = page.getByRole("listitem").getByRole("button").filter({ hasText: merchant });
    await expect(row).toContainText("Demo Partner");
    await expect(row).toContainText("First use of wallet");
    expect(await isWhole(row)).toBe(true);
    const name = row.getByText(merchant, { exact: true });
    expect(await isWhole(name)).toBe(true);
    expect((await find(settlement.tx_id)).approval_state).toBe("pending");
    await page.context().close();
  });
}

test("an open decision becomes the sentence of who decided, and keeps what was typed", async ({ browser }) => {
  for (const key of ["a", "r"] as const) {
    const { settlement } = await waiting();
    const page = await deciding(browser, settlement.tx_id, key);
    await footOf(page).getByRole("textbox").last().fill("Called the merchant twice");
    await approve(settlement.tx_id);
    const dialog = panelOf(page);
    await expect(dialog.getByRole("alert")).toContainText(/^Already approved by /);
    await expect(dialog).toContainText("Called the merchant twice");
    await expect(dialog.getByRole("button", { name: /^(Approve|Reject)/ })).toHaveCount(0);
    await page.context().close();
  }
});
