import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { rival } from "../support/client.ts";
import { browserOf, livePill, open } from "../support/console.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import { quote } from "../support/settlements.ts";

/** Working with the list: views, the side panel, keys, export, and its empty states. */

const rows = (page: Page) => page.locator("tbody tr");
const unique = (name: string) => `${name}-${Date.now()}`;
const aside = (page: Page) => page.getByRole("region", { name: "Settlement next to the list" });

test("a saved view keeps filters and columns, shows when they were changed, and is shared with colleagues alone", async ({ browser }) => {
  const merchant = unique("viewed");
  const { tx_id } = await quote({ external_merchant_id: merchant });
  const page = await browserOf(browser, "approver");
  await open(page, `/console/settlements?merchant=${merchant}`);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Wallet" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Wallet" })).toBeVisible();
  await page.reload();
  await expect(livePill(page)).toHaveText("Live");
  await expect(page.getByRole("columnheader", { name: "Wallet" })).toBeVisible();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this list as a view…" }).click();
  await page.getByLabel("Name").fill(merchant);
  await page.getByLabel("Share with everyone in my organisation").check();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const bar = page.getByRole("region", { name: "View", exact: true });
  await expect(bar).toContainText(merchant);
  await expect(bar).not.toContainText("View modified");
  const saved = page.url();
  await page.getByRole("button", { name: "Remove the filter merchant" }).click();
  await expect(bar).toContainText("View modified");
  // The address follows what is shown a moment later.
  await expect(page).not.toHaveURL(saved);
  await page.reload();
  await expect(bar).toContainText("View modified");
  await bar.getByRole("button", { name: "Reset" }).click();
  await expect(bar).not.toContainText("View modified");
  await expect(rows(page)).toHaveCount(1);

  const colleague = await browserOf(browser, "viewer");
  await open(colleague, "/console/settlements");
  await colleague.getByRole("button", { name: "Views" }).click();
  await colleague.getByRole("menuitem", { name: merchant }).click();
  await expect(rows(colleague).locator(`[title="${tx_id}"]`)).toBeVisible();
  await expect(colleague.getByRole("columnheader", { name: "Wallet" })).toBeVisible();
  await expect(colleague.getByRole("region", { name: "View", exact: true }).getByRole("button", { name: "Delete" })).toHaveCount(0);
  const staff = await browserOf(browser, "staff");
  expect(await (await staff.request.get(`${BASE_URL}/api/trpc/savedViews.list`)).text()).not.toContain(merchant);

  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(bar).toHaveCount(0);
  for (const each of [page, colleague, staff]) await each.context().close();
});

test("keys walk the rows and open each next to the list; the open row survives reload, sharing and Back", async ({ browser }) => {
  const merchant = unique("walked by keys");
  const older = await quote({ external_merchant_id: merchant });
  const newer = await quote({ external_merchant_id: merchant });
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements?${new URLSearchParams({ merchant })}`);
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(aside(page).locator(`[title="${newer.tx_id}"]`)).toBeVisible();
  await page.keyboard.press("j");
  await expect(aside(page).locator(`[title="${older.tx_id}"]`)).toBeVisible();
  await page.waitForURL(({ searchParams }) => searchParams.get("peek") === older.tx_id);
  await page.reload();
  await expect(aside(page).locator(`[title="${older.tx_id}"]`)).toBeVisible();
  await expect(livePill(page)).toHaveText("Live");
  await page.keyboard.press("x");
  await expect(page.getByText("1 selected")).toBeVisible();
  await page.keyboard.press(".");
  await page.getByRole("menuitem", { name: "Only this pair" }).click();
  await expect(page.getByRole("list", { name: "Filters" })).toContainText("from KES");
  await expect(aside(page)).toHaveCount(0);
  await page.goBack();
  await expect(aside(page).locator(`[title="${older.tx_id}"]`)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(aside(page)).toHaveCount(0);
  // The URL follows the display a moment later, and would revert a navigation made meanwhile.
  await page.waitForURL(({ searchParams }) => !searchParams.has("peek"));
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForURL(({ pathname }) => pathname === `/console/settlements/${older.tx_id}`);
  await page.context().close();
});

test("one chord leads from anywhere to pages, commands and whatever was copied", async ({ browser }) => {
  const { tx_id, wallet_address } = await quote();
  const page = await browserOf(browser, "viewer");
  await open(page, "/console/account");
  await page.keyboard.press("ControlOrMeta+k");
  const input = page.getByRole("combobox", { name: "Search settlements, pages and commands" });
  await expect(input).toBeFocused();
  await input.fill(wallet_address.toUpperCase().replace("0X", "0x"));
  await expect(page.getByRole("option").first()).toContainText("USDT");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === `/console/settlements/${tx_id}`);
  await expect(page.getByText("Found by its wallet.")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await input.fill("settl");
  await page.getByRole("option", { name: "Settlements" }).click();
  await page.waitForURL(`${BASE_URL}/console/settlements`);
  await page.keyboard.press("ControlOrMeta+k");
  await input.fill("hide am");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Show amounts" })).toBeVisible();
  await page.context().close();
});

test("the file has the rows that were counted, exact amounts, times in UTC and nothing that a spreadsheet would run", async ({
  browser,
}) => {
  const merchant = `=cmd|' /C calc'!A0,"${Date.now()}"`;
  const made = [];
  for (const source_amount of [100_000, 123_457, 200_001]) made.push(await quote({ external_merchant_id: merchant, source_amount }));
  await quote({ external_merchant_id: merchant }, rival);
  const page = await browserOf(browser, "owner");
  await open(page, `/console/settlements?${new URLSearchParams({ merchant })}`);
  await expect(rows(page)).toHaveCount(3);
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("3 rows.");
  const arriving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download CSV" }).click();
  const text = await readFile(await (await arriving).path(), "utf8");
  await expect(dialog.getByRole("status")).toHaveText("Done: 3 rows are in your downloads.");
  const [header = "", ...lines] = text.split("\r\n").filter((line) => line !== "");
  expect(lines).toHaveLength(3);
  expect(header).not.toContain("partner");
  const columns = header.split(",");
  const exportedRows = lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [columns[index], cell])));
  for (const [index, settlement] of made.reverse().entries()) {
    expect(exportedRows[index]).toMatchObject({
      tx_id: settlement.tx_id,
      status: "quoted",
      external_merchant_id: `'${merchant}`,
      source_amount: `${String(settlement.source_amount).slice(0, -2)}.${String(settlement.source_amount).slice(-2)}`,
      destination_amount: String(settlement.destination_amount),
      created_at: settlement.created_at,
      expires_at: settlement.expires_at,
    });
  }
  const asked = new URLSearchParams({ input: JSON.stringify({ filter: {}, columns: ["tx_id"] }) });
  const stranger = await browser.newContext();
  expect((await stranger.request.get(`${BASE_URL}/console/settlements/export?${asked}`)).status()).toBe(401);
  for (const context of [stranger, page.context()]) await context.close();
});

test("an export under way shows its progress and can be aborted, and a refused one says why", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  await page.route("**/console/settlements/export?*", (route) =>
    route.fulfill({
      status: 503,
      json: { refusal: { code: "temporarily_unavailable", title: "Try again", detail: "Try again.", request_id: "req_1" } },
    }),
  );
  await open(page, "/console/settlements");
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Download CSV" }).click();
  await expect(dialog.getByRole("alert")).toContainText("req_1");
  await page.unroute("**/console/settlements/export?*");
  // A file that never ends: the browser's own reading is what is aborted.
  await page.evaluate(() => {
    const line = new TextEncoder().encode("tx\r\n".repeat(5_001));
    window.fetch = async (_, init) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(line);
          init?.signal?.addEventListener("abort", () => controller.error(new DOMException("aborted", "AbortError")));
        },
      });
      return new Response(body, { headers: { "x-row-count": "20000" } });
    };
  });
  await dialog.getByRole("button", { name: "Download CSV" }).click();
  await expect(dialog.getByRole("status")).toHaveText("5,000 of 20,000 rows");
  await dialog.getByRole("button", { name: "Abort" }).click();
  await expect(dialog.getByRole("status")).toHaveText("Aborted after 5,000 rows; nothing was saved.");
  await page.context().close();
});

test("waiting, no match, and trouble are three different things, and trouble names a request that support can find", async ({
  browser,
}) => {
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements?merchant=${unique("unknown")}`);
  await expect(page.getByText("No match")).toBeVisible();
  await expect(page.getByText("No settlement matches: merchant unknown-")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows(page).first()).toBeVisible();

  // A call that is really refused: the amount is too fine for its currency.
  await open(page, "/console/settlements?source=KES&amount_from=1.2345");
  const alert = page.locator("main").getByRole("alert");
  await expect(alert).toContainText("The request is not valid");
  const shown = await alert.locator("code").innerText();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes("settlements.list")),
    alert.getByRole("button", { name: "Retry" }).click(),
  ]);
  expect(shown).toMatch(/^req_[0-9a-z]{26}$/);
  await expect(alert.locator("code")).toHaveText(answer.headers()["x-request-id"] ?? "none");

  let answering = false;
  const lists = /\/api\/trpc\/[^?]*settlements\.list/;
  await page.route(lists, async (route) => {
    if (!answering) await new Promise((resolve) => setTimeout(resolve, 1_000));
    // Calls of one moment travel together, and each has its answer.
    const calls = new URL(route.request().url()).pathname.split(",").length;
    const error = { message: "internal_error", code: -32_603, data: { refusal: REFUSED } };
    await route.fulfill({ status: 500, json: Array.from({ length: calls }, () => ({ error })) });
  });
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(page.locator("[data-shown][aria-busy=true]")).toBeVisible();
  answering = true;
  await expect(alert).toContainText("Something went wrong on our side");
  await page.unroute(lists);
  await alert.getByRole("button", { name: "Retry" }).click();
  await expect(rows(page).first()).toBeVisible();
  await page.context().close();
});

const REFUSED = {
  code: "internal_error",
  title: "Something went wrong on our side",
  status: 500,
  detail: "Something went wrong on our side.",
  request_id: "req_0000000000000000000000test",
  errors: [],
  members: {},
};

/** The cells of one line (RFC 4180). */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}
