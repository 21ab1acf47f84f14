import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { advancePast } from "../support/clock.ts";
import { browserOf, open, watch } from "../support/console.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import { callbacksOf, find, QUIET_URL, quote, setRate } from "../support/settlements.ts";

/** The decisions: deliberate, on the price that was seen, and the same in every browser. */

const MERCHANT = "console-approvals";
let serial = 0;

/** A settlement above the maximum, with a merchant of its own to find it by. */
async function awaiting(changes: Record<string, unknown> = {}) {
  serial += 1;
  const merchant = `${MERCHANT}-${Date.now()}-${serial}`;
  const settlement = await quote({ source_amount: 250_000_000 + serial * 100, external_merchant_id: merchant, ...changes });
  expect(settlement.approval_state).toBe("pending");
  return { settlement, merchant };
}

const rowOf = (page: Page, merchant: string): Locator => page.locator(".queue-row").filter({ hasText: merchant });

async function inQueue(browser: Browser, merchant: string, role: "admin" | "approver" | "viewer" = "approver"): Promise<Page> {
  const page = await browserOf(browser, role);
  await open(page, "/console/approvals");
  await rowOf(page, merchant).click();
  return page;
}

/** What the dialog is about, written out: so that a digit lost on the way is seen. */
const digits = (value: number) => value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 8 });

test("approving by keyboard alone: the dialog begins at its heading, says everything, and the next row is at hand afterwards", async ({
  browser,
}) => {
  const first = await awaiting({ callback_url: QUIET_URL });
  const second = await awaiting();
  const page = await inQueue(browser, first.merchant);
  const troubles = watch(page);
  await rowOf(page, first.merchant).focus();
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Approve settlement" })).toBeFocused();
  expect((await find(first.settlement.tx_id)).approval_state).toBe("pending");
  await expect(dialog).toContainText(digits(first.settlement.destination_amount));
  await expect(dialog).toContainText("bps");
  await expect(dialog).toContainText(QUIET_URL);
  await expect(dialog).toContainText("Approving moves no funds. The partner must confirm by");
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const ring = await focused.evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(ring).not.toBe("none");
    const isOnTop = await focused.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return element.contains(found) || found?.contains(element) === true;
    });
    expect(isOnTop).toBe(true);
    if ((await focused.textContent())?.startsWith("Approve ")) break;
  }
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, first.merchant)).toBeHidden();
  await expect(page.locator(":focus")).toHaveClass(/queue-row/);
  const decided = await find(first.settlement.tx_id);
  expect(decided).toMatchObject({ status: "quoted", approval_state: "approved" });
  expect(await callbacksOf(first.settlement.tx_id)).toHaveLength(1);
  await expect(rowOf(page, second.merchant)).toBeVisible();
  expect(troubles).toEqual([]);
  await page.context().close();
});

test("neither a key nor a double click commits by itself, and two submits are one approval", async ({ browser }) => {
  const { settlement, merchant } = await awaiting({ callback_url: QUIET_URL });
  const page = await inQueue(browser, merchant);
  await page.getByRole("button", { name: "Approve", exact: true }).dblclick();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  expect((await find(settlement.tx_id)).approval_state).toBe("pending");
  await dialog.getByRole("button", { name: /^Approve / }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
    button.form?.requestSubmit();
  });
  await expect(dialog).toBeHidden();
  expect((await find(settlement.tx_id)).approval_state).toBe("approved");
  expect(await callbacksOf(settlement.tx_id)).toHaveLength(1);
  await page.goto(`${BASE_URL}/console/settlements/${settlement.tx_id}`);
  await expect(page.getByRole("list", { name: "History" }).getByText("Approved", { exact: false })).toHaveCount(1);
  await page.context().close();
});

test("a rate that moved beyond the tolerance between preview and submit approves nothing and shows the new price", async ({ browser }) => {
  const { settlement, merchant } = await awaiting({ source_currency: "PHP", source_amount: 500_000_000 });
  const page = await inQueue(browser, merchant);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: /^Approve / })).toBeEnabled();
  const before = await dialog.locator("tr", { hasText: "Rate" }).locator("td").last().innerText();
  const mid = (settlement.exchange_rate / (1 - 0.0075)) * 1.05;
  await setRate("PHP", settlement.destination_currency, Number(mid.toPrecision(8)));
  await dialog.getByRole("button", { name: /^Approve / }).click();
  await expect(dialog.getByRole("alert")).toContainText("Nothing was approved");
  await expect(dialog.locator("tr", { hasText: "Rate" }).locator("td").last()).not.toHaveText(before);
  expect((await find(settlement.tx_id)).approval_state).toBe("pending");
  await dialog.getByRole("button", { name: /^Approve / }).click();
  await expect(dialog).toBeHidden();
  expect((await find(settlement.tx_id)).exchange_rate).toBeGreaterThan(settlement.exchange_rate);
  await page.context().close();
});

test("rejecting wants a reason of eight characters, which stands in the detail; no callback is made", async ({ browser }) => {
  const { settlement, merchant } = await awaiting({ callback_url: QUIET_URL });
  const page = await inQueue(browser, merchant);
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog");
  const commit = dialog.getByRole("button", { name: "Reject settlement" });
  await expect(commit).toBeDisabled();
  await dialog.getByLabel("Reason", { exact: true }).fill("  seven  ");
  await expect(commit).toBeDisabled();
  await dialog.getByLabel("Reason", { exact: true }).fill("The licence has lapsed");
  await commit.click();
  await expect(dialog).toBeHidden();
  expect(await find(settlement.tx_id)).toMatchObject({
    status: "cancelled",
    approval_state: "rejected",
    rejection_reason: "The licence has lapsed",
  });
  expect(await callbacksOf(settlement.tx_id)).toHaveLength(0);
  await open(page, `/console/settlements/${settlement.tx_id}`);
  await expect(page.getByText("Rejected: The licence has lapsed")).toBeVisible();
  await expect(page.getByRole("list", { name: "History" })).toContainText("The licence has lapsed");
  const owner = await browserOf(browser, "owner");
  await open(owner, `/console/settlements/${settlement.tx_id}`);
  await expect(owner.getByText("Rejected: The licence has lapsed")).toBeVisible();
  await expect(owner.getByRole("list", { name: "History" })).toContainText("Rejected by the operator");
  await owner.context().close();
  await page.context().close();
});

test("another browser sees a decision within two seconds, and a late click learns whose it was", async ({ browser }) => {
  const { settlement, merchant } = await awaiting();
  const ana = await inQueue(browser, merchant, "admin");
  const ben = await inQueue(browser, merchant, "approver");
  const late = await inQueue(browser, merchant, "approver");
  await late.getByRole("button", { name: "Reject", exact: true }).click();
  await late.getByRole("dialog").getByLabel("Reason", { exact: true }).fill("Too late for this one");
  await ana.getByRole("button", { name: "Approve", exact: true }).click();
  const answered = ana.waitForResponse((response) => response.url().includes("approvals.approve"));
  await ana
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve / })
    .click();
  expect((await answered).status()).toBe(200);
  const at = Date.now();
  await expect(rowOf(ben, merchant)).toContainText("Already approved by Ada Admin", { timeout: 2_000 });
  expect(Date.now() - at).toBeLessThan(2_000);
  await late.getByRole("dialog").getByRole("button", { name: "Reject settlement" }).click();
  await expect(late.getByRole("dialog").getByRole("alert")).toContainText("Already approved by Ada Admin");
  expect((await find(settlement.tx_id)).approval_state).toBe("approved");
  for (const page of [ana, ben, late]) await page.context().close();
});

test("who may only look sees the queue without its buttons and keys", async ({ browser }) => {
  const { merchant } = await awaiting();
  const page = await inQueue(browser, merchant, "viewer");
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(0);
  await page.keyboard.press("a");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.context().close();
});

test("approving works on a phone, with buttons that a thumb finds", async ({ browser }) => {
  const { settlement, merchant } = await awaiting();
  const page = await browserOf(browser, "approver", { viewport: { width: 390, height: 844 }, hasTouch: true });
  await open(page, "/console/approvals");
  await rowOf(page, merchant).tap();
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  expect((await approve.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await approve.tap();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve / })
    .tap();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect((await find(settlement.tx_id)).approval_state).toBe("approved");
  await page.context().close();
});

test("a quote that lapsed while waiting stays approvable and says that approving re-prices", async ({ browser }) => {
  const { settlement, merchant } = await awaiting();
  await advancePast(settlement.expires_at);
  const page = await inQueue(browser, merchant);
  await expect(page.getByText("Original quote lapsed; approving re-prices.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toBeEnabled();
  await page.context().close();
});
