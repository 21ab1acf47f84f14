import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { parseCsv } from "#domain/csv.ts";
import { PAYMENT_COLUMNS } from "#domain/payment-file.ts";
import { faultsOf } from "../support/accessibility.ts";
import { browserOf, dialogOf, notesOf, open, proveIfAsked, watch } from "../support/console.ts";
import { inUnits } from "../support/money.ts";
import { chain } from "../support/running-sandbox.ts";
import { freshReference, freshWallet } from "../support/settlements.ts";

/** Twenty batches are cancelled in a few seconds, on a busy machine in a minute. */
const LONG = 180_000;

/** From a CSV file to payments on chain: faults are named and corrected in place, and the results come in the file's order. */

test("an owner uploads a file, corrects its faults, confirms, and gets the results in the rows' order", async ({ browser }) => {
  const wallets = [freshWallet(), freshWallet(), freshWallet()];
  const name = freshReference();
  const rows = wallets.map((wallet, row) => [`${name}-${row}`, `+merchant ${row}`, "1000.50", "KES", "USDT", chain.chain, wallet]);
  const broken = rows.map((cells, row) =>
    cells.map((cell, at) => (row === 1 && at === 2 ? "1,000" : row === 2 && at === 0 ? `${name}-0` : cell)),
  );
  const text = `\uFEFF${[[...PAYMENT_COLUMNS], ...broken].map((cells) => cells.join(";")).join("\r\n")}`;
  const page = await browserOf(browser, "owner");
  const troubles = watch(page);
  await open(page, "/console/batches/new");
  await page.getByLabel("CSV file").setInputFiles({ name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(text) });
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
  await page.getByRole("button", { name: "Check the file" }).click();
  const table = page.getByRole("table", { name: "Rows with a fault" });
  await expect(table).toContainText("must be an amount of KES");
  await expect(table).toContainText("is already in row 1");
  expect(await faultsOf(page)).toEqual([]);
  await table.getByLabel("amount, row 2").fill("1000.50");
  await table.getByLabel("external_tx_id, row 3").fill(`${name}-2`);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Create 3 payments" }).click();
  await page.waitForURL(/\/console\/batches\/ba_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Confirm 3 payments…" }).click();
  await expect(dialogOf(page)).toContainText("3,001.50");
  await dialogOf(page).getByRole("button", { name: "Confirm 3", exact: true }).click();
  await proveIfAsked(page, "owner", notesOf(page).getByText("Payments confirmed"));
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("3 of 3 paid", { timeout: 60_000 });
  const [head = [], ...results] = await readResults(page);
  expect(head.slice(0, PAYMENT_COLUMNS.length)).toEqual([...PAYMENT_COLUMNS]);
  expect(results.map(([reference, merchant, , , , , wallet, status]) => [reference, merchant, wallet, status])).toEqual(
    wallets.map((wallet, row) => [`${name}-${row}`, `'+merchant ${row}`, wallet, "executed"]),
  );
  const paid = results.map((cells) => inUnits(cells[PAYMENT_COLUMNS.length + 1] ?? "", 6));
  expect(await Promise.all(wallets.map(balanceOf))).toEqual(paid);
  // One transaction pays them all, and each settlement says so.
  const column = (name: string) => results.map((cells) => cells[head.indexOf(name)] ?? "");
  const [hash, ...others] = new Set(column("tx_hash"));
  expect([hash, others]).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/), []]);
  await open(page, `/console/settlements/${column("tx_id")[0]}`);
  await expect(page.getByText("One of 3 payments in this transaction")).toBeVisible();
  expect(troubles).toEqual([]);
  await page.context().close();
});

test("a file of 10,000 rows becomes twenty batches, and one dialog confirms or cancels all of them", async ({ browser }) => {
  test.setTimeout(2 * LONG);
  const [name, wallet] = [freshReference(), freshWallet()];
  const rows = Array.from({ length: 10_000 }, (_, row) => [`${name}-${row}`, "m-1", "100.00", "KES", "USDT", chain.chain, wallet]);
  const broken = rows.with(9_998, rows[9_998]?.with(2, "ten") ?? []);
  const text = [[...PAYMENT_COLUMNS], ...broken].map((cells) => cells.join(",")).join("\n");
  const page = await browserOf(browser, "owner");
  const troubles = watch(page);
  await open(page, "/console/batches/new");
  const arrives = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download a template" }).click();
  const [head, example] = parseCsv(readFileSync(await (await arrives).path(), "utf8"));
  expect([head, example?.length]).toEqual([[...PAYMENT_COLUMNS], PAYMENT_COLUMNS.length]);
  await page.getByLabel("CSV file").setInputFiles({ name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Check the file" }).click();
  await page.getByRole("table", { name: "Rows with a fault" }).getByLabel("amount, row 9999").fill("100.00");
  await page.getByRole("button", { name: "Check again" }).click();
  const steps = await stepsOf(page);
  const unanswered = page.getByText("It may or may not have arrived");
  const arrived = page.waitForURL(/\/console\/batches\/ba_/).then(() => false);
  // A busy machine may have no time for one of the twenty. Another press goes on from there.
  do await page.getByRole("button", { name: "Create 10,000 payments" }).click();
  while (await Promise.race([arrived, unanswered.waitFor({ timeout: 2 * LONG }).then(() => true)]));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${name} 1/20 and 19 more`);
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("10,000 quoted");
  await page.getByRole("button", { name: "Cancel…" }).click();
  await dialogOf(page).getByRole("button", { name: "Cancel them" }).click();
  await proveIfAsked(page, "owner", notesOf(page).getByText("Payments cancelled"), LONG);
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("10,000 cancelled");
  const shown = await steps();
  for (const step of [/^Created [\d,]+ of 10,000 payments$/, /^[\d,]+ of 10,000 cancelled$/])
    expect(shown.filter((line) => step.test(line)).length, String(step)).toBeGreaterThan(5);
  const [, ...results] = await readResults(page);
  expect(results.map((cells) => [cells[0], cells[PAYMENT_COLUMNS.length]])).toEqual(rows.map(([reference]) => [reference, "cancelled"]));
  expect(troubles).toEqual([]);
  await page.context().close();
});

async function readResults(page: Page): Promise<string[][]> {
  const arrives = page.waitForEvent("download");
  await page.getByRole("link", { name: "Results as CSV" }).click();
  return parseCsv(readFileSync(await (await arrives).path(), "utf8"));
}

/** Collects what the page says about its progress, from now on. */
async function stepsOf(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const lines = new Set<string>();
    const look = () => {
      for (const { textContent } of document.querySelectorAll("[role=status]")) lines.add(textContent ?? "");
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { progressLines: lines });
  });
  return () => page.evaluate(() => [...(window as unknown as { progressLines: Set<string> }).progressLines]);
}

/** What the chain says that the wallet has of the test USDT, in base units. */
async function balanceOf(wallet: string): Promise<bigint> {
  const data = `0x70a08231${wallet.slice(2).padStart(64, "0")}`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ to: chain.tokens.USDT, data }, "latest"] });
  const answer = await fetch(chain.rpc_url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return BigInt((await answer.json()).result);
}
