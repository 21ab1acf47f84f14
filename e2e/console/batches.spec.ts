import { type Browser, expect, type Page, test } from "@playwright/test";
import { createBatchOperation, getBatchOperation } from "#contract/settlement/v1/batch-operations.ts";
import { rejectBatchOperation } from "#contract/settlement/v1/decisions.ts";
import { read } from "../support/answers.ts";
import { operator, partner } from "../support/client.ts";
import { browserOf, notesOf, open, proveIfAsked, type Role, watch } from "../support/console.ts";
import { createBody, freshReference, QUIET_URL } from "../support/settlements.ts";

/** The decision on a batch: one line, all items, one approval or rejection of all of them. */

const BATCHES = "/api/v1/settlement-batches";

/** Three items; one of them is above its pair's maximum, so that the batch waits. */
async function waitingBatch(largest = 250_000_000) {
  const external_batch_id = freshReference();
  const items = [largest, 100_000, 200_000].map((source_amount) => createBody({ source_amount, external_tx_id: freshReference() }));
  const made = read(createBatchOperation, await partner.post(BATCHES, { external_batch_id, items, callback_url: QUIET_URL }));
  expect(made.approval_state).toBe("pending");
  return { ...made, items: made.items };
}
type Batch = Awaited<ReturnType<typeof waitingBatch>>;

const readBatch = async ({ batch_id }: Batch) => read(getBatchOperation, await partner.get(`${BATCHES}/${batch_id}`));

async function atBatches(browser: Browser, role: Role, options: Parameters<typeof browserOf>[2] = {}): Promise<Page> {
  const page = await browserOf(browser, role, options);
  await open(page, "/console/approvals?tab=batches");
  return page;
}

const rowOf = (page: Page, { external_batch_id }: Batch) =>
  page.getByRole("listitem").getByRole("button").filter({ hasText: external_batch_id });
const panelOf = (page: Page) => page.getByRole("region", { name: "The chosen batch" });

test("a batch is one line with its sum, and is approved with all of its items", async ({ browser }) => {
  const batch = await waitingBatch();
  const page = await atBatches(browser, "approver");
  const troubles = watch(page);
  await expect(rowOf(page, batch)).toContainText("2,503,000.00");
  await expect(rowOf(page, batch)).toContainText("0 of 1");
  await rowOf(page, batch).click();
  const dialog = panelOf(page);
  await expect(dialog).toContainText("3 settlements. 0 of 1 approval given.");
  await expect(dialog.getByRole("row")).toHaveCount(4);
  // The largest payment goes to a wallet that was never paid, so it comes first.
  await expect(dialog.getByRole("checkbox", { name: "First use of wallet: 3 items" })).toBeVisible();
  await expect(dialog.getByRole("row").nth(1)).toContainText("2,500,000.00");
  await expect(dialog.getByRole("row").nth(1)).toContainText("First use of wallet");
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(dialog).toContainText("It moves no funds: the partner must confirm the batch.");
  await expect(dialog.getByRole("button", { name: "Approve all 3" })).toBeDisabled();
  const warnings = await dialog.getByRole("list", { name: "Warnings" }).getByRole("checkbox").all();
  for (const warning of warnings) {
    await expect(dialog.getByRole("button", { name: "Approve all 3" })).toBeDisabled();
    await warning.check();
  }
  await dialog.getByRole("button", { name: "Approve all 3" }).click();
  await proveIfAsked(page, "approver", notesOf(page).getByText("Batch approved"));
  await expect(rowOf(page, batch)).toBeHidden();
  expect(await readBatch(batch)).toMatchObject({ status: "quoted", approval_state: "approved", counts: { quoted: 3 } });
  expect(troubles).toEqual([]);
});

test("a batch is rejected as a whole, with a reason; its items never appear one by one", async ({ browser }) => {
  const batch = await waitingBatch();
  const page = await atBatches(browser, "approver");
  const [largest] = batch.items;
  await open(page, "/console/approvals");
  await expect(page.locator(`#row-${largest?.tx_id}`)).toHaveCount(0);
  await open(page, "/console/approvals?tab=batches");
  await rowOf(page, batch).click();
  const dialog = panelOf(page);
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Reject all 3" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("The partner sent the file twice.");
  await dialog.getByRole("button", { name: "Reject all 3" }).click();
  await proveIfAsked(page, "approver", notesOf(page).getByText("Batch rejected"));
  await expect(rowOf(page, batch)).toBeHidden();
  expect(await readBatch(batch)).toMatchObject({ status: "cancelled", approval_state: "rejected", counts: { cancelled: 3 } });
});

test("an open decision on a batch that somebody else decides says so, and can commit nothing", async ({ browser }) => {
  const batch = await waitingBatch();
  const page = await atBatches(browser, "approver");
  await rowOf(page, batch).click();
  const dialog = panelOf(page);
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await dialog.getByLabel("Note (optional)").fill("The file was announced.");
  read(rejectBatchOperation, await operator.call("POST", `/admins/settlement-batches/${batch.batch_id}/reject`, { reason: "Sent twice." }));
  await expect(dialog).toContainText("It no longer waits");
  await expect(dialog.getByRole("button", { name: "Approve all 3" })).toBeDisabled();
  await expect(dialog.getByLabel("Note (optional)")).toHaveValue("The file was announced.");
});
