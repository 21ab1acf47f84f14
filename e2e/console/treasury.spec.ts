import { expect, test } from "@playwright/test";
import { faultsOf } from "../support/accessibility.ts";
import { browserOf, open, proveIfAsked } from "../support/console.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, quote } from "../support/settlements.ts";

/** The service's own wallets: visible to every operator, changed only by an admin. */

const wallet = sandbox.treasury.address;

test("each wallet shows what it holds, as of which block, what it has promised, and its nonces down to their settlements", async ({
  browser,
}) => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  const page = await browserOf(browser, "viewer");
  await open(page, "/console/treasury");
  const board = page.getByRole("article", { name: `Wallet ${wallet}` });
  await expect(board).toContainText(/read at block [\d,]+, \d+ s ago/);
  await expect(board).toContainText(/confirmed below [\d,]+ · \d+ on their way · next [\d,]+/);
  const row = board.getByRole("row").filter({ hasText: tx_id });
  await expect(row).toContainText("Final");
  await expect(page.getByText(/\d of \d nodes? answers?/).first()).toBeVisible();
  await expect(page.getByText(/^Gas/).first()).toContainText("gwei");
  // A viewer is offered no order, and the server gives none.
  await expect(page.getByRole("button", { name: /halt|State of|Actions for/i })).toHaveCount(0);
  const refused = await page.request.post(`${BASE_URL}/api/trpc/treasury.bump`, {
    data: { transfer_id: "tr_none", reason: "not mine to give" },
    headers: { origin: BASE_URL },
  });
  expect(refused.status()).toBe(403);
  await board.getByRole("button", { name: "Top up" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: "The wallet's address as a QR code" })).toBeVisible();
  await expect(dialog).toContainText(wallet);
  await page.context().close();
});

test("the books say what every account comes to and whether each day's reconciliation agreed", async ({ browser }) => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  const page = await browserOf(browser, "viewer");
  await open(page, "/console/treasury?tab=books");
  const ledger = page.getByRole("region", { name: "Ledger", exact: true }).getByRole("table");
  const funds = ledger.getByRole("row").filter({ hasText: /^Owner's funds/ });
  // Each account is explained once, where it begins.
  await expect(funds.filter({ hasText: "What the operator has paid in" })).toHaveCount(1);
  expect(await funds.count()).toBeGreaterThan(1);
  await expect(page.getByRole("region", { name: "Reconciliations", exact: true })).toBeVisible();
  // And each balance opens to what makes it up.
  await ledger.getByRole("button", { name: /^Entries of Fee revenue, USDT/ }).click();
  const entries = page.getByRole("dialog", { name: "Fee revenue, USDT" });
  const newest = entries.getByRole("row").filter({ has: page.getByTitle(tx_id) });
  await expect(newest).toContainText("Settlement executed");
  await expect(newest).toContainText("−0.50 USDT");
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(entries).toHaveCount(0);
  expect(await faultsOf(page)).toEqual([]);
  await page.context().close();
});

test("an admin halts a wallet with a reason and a typed word, and lifts the halt; both are in the log", async ({ browser }) => {
  const page = await browserOf(browser, "admin");
  await open(page, "/console/treasury");
  const board = page.getByRole("article", { name: `Wallet ${wallet}` });
  const halts = page.getByRole("region", { name: "Halted", exact: true });
  const give = async (what: "Halt the wallet" | "Lift the halt") => {
    const opener =
      what === "Lift the halt" ? halts.getByRole("button", { name: what }) : board.getByRole("button", { name: "Halt", exact: true });
    await opener.click();
    const dialog = page.getByRole("dialog").filter({ hasText: what });
    await dialog.getByLabel("Reason").fill("A story of the console");
    await expect(dialog.getByRole("button", { name: what })).toBeDisabled();
    const label = await dialog.getByText(/^Type “\S+” to confirm$/).innerText();
    await dialog.getByLabel(label).fill(/“(.+)”/.exec(label)?.[1] ?? "");
    await dialog.getByRole("button", { name: what }).click();
    await proveIfAsked(page, "admin", board.getByText(what === "Halt the wallet" ? "Halted" : "Working").first());
    await expect(dialog).toHaveCount(0);
  };
  try {
    await give("Halt the wallet");
    await expect(board).toContainText("Halted");
    await expect(halts).toContainText("A story of the console");
  } finally {
    await give("Lift the halt");
  }
  await expect(board).toContainText("Working");
  await open(page, "/console/audit?action=lane.halted");
  await expect(page.getByRole("row").filter({ hasText: "set a halt" }).first()).toContainText("A story of the console");
  await page.context().close();
});
