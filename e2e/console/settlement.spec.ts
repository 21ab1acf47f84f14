import { expect, type Locator, type Page, test } from "@playwright/test";
import { advancePast, countdownError } from "../support/clock.ts";
import { browserOf, headerOf, open } from "../support/console.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { approve, confirm, ended, find, pendingQuote, quote, setRate } from "../support/settlements.ts";

/** One settlement in full: its price, its payment, its history, its quote's expiry. */

const rowOf = (page: Page, name: string): Locator =>
  page
    .getByRole("table", { name: "Arithmetic of the price" })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name }) })
    .locator("td")
    .first();

test("a price is written out so that a pocket calculator agrees, and an approval's change with it", async ({ browser }) => {
  await setRate("PHP", "USDC", 0.0172);
  const { tx_id } = await pendingQuote({}, "PHP", "USDC");
  await setRate("PHP", "USDC", 0.0173);
  await approve(tx_id);
  await setRate("PHP", "USDC", 0.0172);
  const settlement = await find(tx_id);
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements/${tx_id}`);
  await expect(rowOf(page, "Exchange rate")).toHaveText(String(settlement.exchange_rate));
  await expect(page.getByText(/^The network takes about 0\.0\d* ETH for the payment/)).toBeVisible();
  await page.getByText("Why this price").click();
  const steps = await page.getByRole("group").filter({ hasText: "Why this price" }).getByRole("listitem").getByRole("code").allInnerTexts();
  expect(steps).toHaveLength(4);
  const [, , gross = "", net = ""] = steps;
  const units = (text = "", scale = 30) => {
    const [whole = "", fraction = ""] = text.trim().split(".");
    return BigInt(whole + fraction.padEnd(scale, "0"));
  };
  const [source, rate, exact, rounded] = gross.replace(/ [A-Z]+$/, "").split(/ [×=→] /);
  expect(units(source, 15) * units(rate, 15)).toBe(units(exact));
  expect(units(exact) / 10n ** 24n).toBe(units(rounded, 6));
  const [from, fee, left] = net.replace(/ [A-Z]+$/, "").split(/ [−=] /);
  expect(units(from) - units(fee)).toBe(units(left));
  expect(Number(left)).toBe(settlement.destination_amount);
  await page.getByText("What the approval changed").click();
  await expect(page.getByRole("table", { name: /^Price before and after approval/ }).getByRole("rowheader", { name: "Net" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Timeline" })).toContainText(`→ ${settlement.exchange_rate}`);
  await page.context().close();
});

test("an approval that priced again at the same price says so in place of a table of equal figures", async ({ browser }) => {
  const { tx_id } = await pendingQuote();
  await approve(tx_id);
  const { exchange_rate } = await find(tx_id);
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements/${tx_id}`);
  await expect(page.getByText("The approval priced it again, and the price is the same.")).toBeVisible();
  await expect(page.getByText("What the approval changed")).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Timeline" })).toContainText(`Price v2: rate ${exchange_rate}, unchanged`);
  await page.context().close();
});

test("a payment is followed by stages to its end, with who asked for it and every request about it", async ({ browser }) => {
  const paid = await quote();
  await confirm(paid.tx_id);
  const refused = await quote({ wallet_address: sandbox.outcomes.blocked_wallet });
  await confirm(refused.tx_id);
  const { tx_hash = "" } = await ended(paid.tx_id);
  await ended(refused.tx_id);
  const page = await browserOf(browser, "owner");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, `/console/settlements/${paid.tx_id}`);
  await expect(page.getByRole("progressbar", { name: "Payment" })).toHaveAttribute("aria-valuetext", "Executed");
  // It is also in the receipt, which is only there for printing.
  await expect(page.getByText(tx_hash, { exact: true }).filter({ visible: true }).first()).toBeVisible();
  const timeline = page.getByRole("list", { name: "Timeline" });
  for (const title of ["Quoted", "Confirmed", "Payment signed", "Payment broadcast", "Executed", "Executed callback queued"])
    await expect(timeline.getByText(new RegExp(`^${title}( by |$)`)).first()).toBeVisible();
  await expect(timeline.getByText(/^\+\d+ [smh]$/).first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Requests about this settlement" })).toContainText("/confirm");
  await page.getByRole("main").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy as cURL" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('-hmac "$API_SECRET"');
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`/api/v1/settlements/${paid.tx_id}`);
  expect(command).not.toContain(sandbox.partner.api_secret);
  await open(page, `/console/settlements/${refused.tx_id}`);
  await expect(page.getByRole("progressbar", { name: "Payment" })).toHaveAttribute("aria-valuetext", "Failed");
  await expect(
    page
      .getByRole("paragraph")
      .filter({ hasText: /^The token's blocklist refuses this recipient\.$/ })
      .first(),
  ).toBeVisible();
  await page.context().close();
});

test("a quote runs out by the server's clock: nothing moves, what needs it is disabled, and it is said at most three times", async ({
  browser,
}) => {
  const { tx_id } = await pendingQuote();
  await approve(tx_id);
  const { expires_at } = await find(tx_id);
  const page = await browserOf(browser, "owner");
  // A browser ten minutes ahead.
  await page.clock.install({ time: new Date(Date.now() + 600_000) });
  await open(page, `/console/settlements/${tx_id}`);
  const timer = page.getByRole("timer", { name: "Quote valid for" });
  await expect(timer).toBeVisible();
  await expect.poll(() => countdownError(timer, expires_at)).toBeLessThanOrEqual(2);
  await page.evaluate(() => {
    const seen = { shift: 0, spoken: [] as string[] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry && typeof entry.value === "number") seen.shift += entry.value;
    }).observe({ type: "layout-shift" });
    const status = document.querySelector("span:has(> [role=timer]) [role=status]");
    if (status)
      new MutationObserver(() => status.textContent && seen.spoken.push(status.textContent)).observe(status, {
        characterData: true,
        childList: true,
        subtree: true,
      });
  });
  await expect(page.getByRole("button", { name: "Confirm as cURL" })).toBeEnabled();
  await advancePast(expires_at);
  await expect(page.getByText("Quote lapsed").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Confirm as cURL" })).toBeDisabled();
  await expect(page.getByText("410 quote_expired")).toBeVisible();
  await expect(headerOf(page).getByText("Quote lapsed", { exact: true })).toBeVisible();
  const seen = await page.evaluate(() => (window as unknown as { seen: { shift: number; spoken: string[] } }).seen);
  expect(seen.shift).toBe(0);
  expect(seen.spoken.length).toBeLessThanOrEqual(3);
  // The wire still follows the specification.
  await page.getByText(`GET /api/v1/settlements/${tx_id}`).click();
  expect(JSON.parse(await page.getByLabel("Answer of the API").locator("code").innerText())).toMatchObject({
    status: "quoted",
    approval_state: "approved",
  });
  expect((await page.goto(`${BASE_URL}/docs/errors/quote_expired`))?.status()).toBe(200);
  await page.context().close();
});

test("from a list one goes on to the next settlement of that list", async ({ browser }) => {
  const merchant = `walked-${Date.now()}`;
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1) made.push((await quote({ external_merchant_id: merchant })).tx_id);
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements?merchant=${merchant}`);
  await page.locator(`tbody a[title="${made[2]}"]`).click();
  await page.waitForURL((url) => url.pathname.endsWith(made[2] ?? "") && url.searchParams.has("list"));
  await expect(page.getByRole("button", { name: "Previous settlement (K)" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Next settlement (J)" })).toBeEnabled();
  await page.keyboard.press("j");
  await page.waitForURL((url) => url.pathname.endsWith(made[1] ?? ""));
  await expect(page.getByRole("button", { name: "Next settlement (J)" })).toBeEnabled();
  await page.keyboard.press("j");
  await page.waitForURL((url) => url.pathname.endsWith(made[0] ?? ""));
  await expect(page.getByRole("button", { name: "Next settlement (J)" })).toBeDisabled();
  await page.context().close();
});
