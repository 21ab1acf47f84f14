import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { parseCsv } from "#domain/csv.ts";
import { PAYMENT_COLUMNS } from "#domain/payment-file.ts";
import { faultsOf } from "../support/accessibility.ts";
import { browserOf, dialogOf, notesOf, open, proveIfAsked, watch } from "../support/console.ts";
import { inUnits } from "../support/money.ts";
import { chain } from "../support/running-sandbox.ts";
import { freshReference, freshWallet } from "../support/settlements.ts";

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
  const arriving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Results as CSV" }).click();
  const [head = [], ...results] = parseCsv(readFileSync(await (await arriving).path(), "utf8"));
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

/** What the chain says that the wallet has of the test USDT, in base units. */
async function balanceOf(wallet: string): Promise<bigint> {
  const data = `0x70a08231${wallet.slice(2).padStart(64, "0")}`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ to: chain.tokens.USDT, data }, "latest"] });
  const answer = await fetch(chain.rpc_url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return BigInt((await answer.json()).result);
}
