import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { acknowledge, approveOf, browserOf, footOf, open, panelOf } from "../support/console.ts";
import { call } from "../support/people.ts";
import { approve, callbacksOf, confirm, ended, find, freshWallet, pendingQuote, QUIET_URL, quote } from "../support/settlements.ts";

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
      await expect(panel.getByText(/^The network takes about 0\.0\d* ETH for the payment: the wallet has none/)).toBeVisible();
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

test("of ten rows one goes to a wallet that its merchant never used, and that one alone is marked, without a click", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const group = `Ten ${Date.now()}`;
  const merchants = Array.from({ length: 10 }, (_, place) => ({
    external_merchant_id: `${group} ${place}`,
    wallet_address: freshWallet(),
  }));
  // Each has been paid to its wallet before.
  const paid = await Promise.all(merchants.map(async (merchant) => (await confirm((await quote(merchant)).tx_id)).tx_id));
  for (const tx_id of paid) expect((await ended(tx_id)).status).toBe("executed");
  const changed = 6;
  for (const [place, merchant] of merchants.entries())
    await pendingQuote(place === changed ? { ...merchant, wallet_address: freshWallet() } : merchant);
  for (const viewport of VIEWPORTS) {
    const page = await browserOf(browser, "approver", { viewport });
    await open(page, "/console/approvals");
    const rows = page.getByRole("listitem").getByRole("button").filter({ hasText: group });
    await expect(rows).toHaveCount(merchants.length);
    await expect(rows.filter({ hasText: "Wallet changed" })).toHaveCount(1);
    await expect(rows.filter({ hasText: `${group} ${changed}` })).toContainText("Wallet changed");
    await expect(rows.filter({ hasText: /Wallet changed|First use|Repeated|usual|maximum/ })).toHaveCount(1);
    const marked = rows.filter({ hasText: "Wallet changed" });
    await marked.scrollIntoViewIfNeeded();
    const mark = marked.getByText("Wallet changed");
    await expect(mark).toBeInViewport({ ratio: 1 });
    expect(await isWhole(marked)).toBe(true);
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/ten-rows-${viewport.width}.png` });
    await page.context().close();
  }
});

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

async function inQueue(browser: Browser, txId: string): Promise<Page> {
  const page = await browserOf(browser, "approver");
  await open(page, `/console/approvals?tx=${txId}`);
  await expect(page.locator(`#row-${txId}`)).toHaveAttribute("aria-current", "true");
  return page;
}

/** A procedure called as the page itself would. */
async function callAs(page: Page, procedure: string, input: unknown) {
  const answer = await call(page, procedure, input);
  const body = await answer.json();
  return { status: answer.status(), code: body.error?.data?.refusal?.code, data: body.result?.data };
}

test("the service refuses an approval without each warning acknowledged, and nothing has happened", async ({ browser }) => {
  const merchant = `Warned ${Date.now()}`;
  // The same merchant, amount and wallet twice within minutes: the second is a repeat to a wallet that was never paid.
  const same = { external_merchant_id: merchant, wallet_address: freshWallet(), callback_url: QUIET_URL };
  const earlier = await pendingQuote(same);
  const { tx_id, exchange_rate } = await pendingQuote(same);
  const page = await inQueue(browser, tx_id);
  const seen = { tx_id, expected_exchange_rate: String(exchange_rate) };
  for (const acknowledged_hints of [[], ["first_wallet_use"], ["repeated", "wallet_changed"]]) {
    const refused = await callAs(page, "approvals.approve", { ...seen, acknowledged_hints });
    expect(refused).toMatchObject({ status: 422, code: "validation_failed" });
  }
  expect((await callAs(page, "approvals.approve", seen)).status).toBe(422);
  const many = await callAs(page, "approvals.approveMany", { items: [{ ...seen, acknowledged_hints: ["repeated"] }] });
  expect(many.data).toMatchObject({ data: [{ outcome: "refused", detail: expect.stringContaining("not acknowledged") }] });
  expect(await find(tx_id)).toMatchObject({ status: "quoted", approval_state: "pending", exchange_rate });
  expect(await callbacksOf(tx_id)).toEqual([]);
  // In the panel each is ticked by itself; one alone opens nothing.
  const warnings = panelOf(page).getByRole("list", { name: "Warnings" });
  await expect(warnings.getByRole("checkbox")).toHaveCount(2);
  await warnings.getByRole("checkbox", { name: "Repeated" }).check();
  await approveOf(page).click();
  await expect(footOf(page).getByRole("button", { name: /^Approve / })).toBeDisabled();
  await expect(
    panelOf(page)
      .getByText(/above all|above it|above 0 of 1/)
      .first(),
  ).toBeVisible();
  // What was ticked and typed outlives a look at another row.
  await footOf(page).getByLabel(/^Note/).fill("Called them");
  await page.locator(`#row-${earlier.tx_id}`).click();
  await page.locator(`#row-${tx_id}`).click();
  await approveOf(page).click();
  await expect(footOf(page).getByLabel(/^Note/)).toHaveValue("Called them");
  await expect(warnings.getByRole("checkbox", { name: "Repeated" })).toBeChecked();
  await acknowledge(page);
  await footOf(page)
    .getByRole("button", { name: /^Approve / })
    .click();
  await expect(footOf(page)).toBeHidden();
  expect((await find(tx_id)).approval_state).toBe("approved");
  expect(await callbacksOf(tx_id)).toHaveLength(1);
  await page.context().close();
});

test("requests of one merchant that together come near the amount for two approvals say so, in the row and in the panel", async ({
  browser,
}) => {
  const external_merchant_id = `Parts ${Date.now()}`;
  const part = { external_merchant_id, wallet_address: freshWallet(), source_amount: 240_000_000 };
  const first = await pendingQuote(part);
  const page = await inQueue(browser, first.tx_id);
  const row = page.locator(`#row-${first.tx_id}`);
  await expect(panelOf(page)).not.toContainText("for this merchant");
  const { tx_id } = await pendingQuote(part);
  await expect(row).toContainText("4,800,000.00 KES together");
  await expect(panelOf(page)).toContainText(
    "With 1 more that waits for this merchant: 4,800,000.00 KES together; two approvals above 5,000,000.00 KES.",
  );
  await approve(tx_id);
  await expect(row).not.toContainText("together");
  await expect(panelOf(page)).not.toContainText("for this merchant");
  await page.context().close();
});

test("a hint says what it rests on, and the wallet what is known of it", async ({ browser }) => {
  const external_merchant_id = `Resting ${Date.now()}`;
  const before = await quote({ external_merchant_id });
  const { tx_id } = await pendingQuote({ external_merchant_id });
  const page = await inQueue(browser, tx_id);
  const panel = panelOf(page);
  const row = page.locator(`#row-${tx_id}`);
  await row.scrollIntoViewIfNeeded();
  await expect(row.getByText("Wallet changed")).toBeInViewport({ ratio: 1 });
  await expect(panel.getByText("The merchant's wallet changed with this settlement")).toBeVisible();
  await panel.getByText("Based on 1 settlement").click();
  await expect(panel.getByRole("listitem").locator(`a[href$="${before.tx_id}"]`)).toBeVisible();
  await expect(panel.getByRole("region", { name: "Recipient" })).toContainText("First useMerchant had 1 other wallet before");
  const past = panel.getByRole("region", { name: "Amounts before this one" });
  await expect(past).toContainText("The merchant's last amount: from");
  await expect(past).toContainText("This one is above 1 of them.");
  await expect(past.locator("circle")).toHaveCount(1);
  await page.context().close();
});
