import { expect, type Page, test } from "@playwright/test";
import { rival } from "../support/client.ts";
import { browserOf, dialogOf, open, watch } from "../support/console.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { confirm, find, quote } from "../support/settlements.ts";

/** Limits, their holds, and the halt of everything: an admin sets, reviews, and releases. */

const REASON = "Looked into with the partner.";
let page: Page;
let troubles: string[];
test.beforeAll(async ({ browser }) => {
  page = await browserOf(browser, "admin");
  troubles = watch(page);
});
test.afterAll(async () => {
  expect(troubles).toEqual([]);
  await page.context().close();
});

async function give(button: string, fill: (dialog: ReturnType<typeof dialogOf>) => Promise<void> = async () => {}): Promise<void> {
  const dialog = dialogOf(page);
  await fill(dialog);
  await dialog.getByLabel("Reason").fill(REASON);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await expect(dialog).toBeHidden();
}

async function confirmed(): Promise<string> {
  const { tx_id } = await quote({}, rival);
  await confirm(tx_id, {}, rival);
  return tx_id;
}

test("what is beyond a limit waits, says why, and is released or refused", async () => {
  // Quoted within the limit: a quote beyond a limit first waits for an admin.
  const quoted = [await quote({}, rival), await quote({}, rival)];
  await open(page, "/console/treasury?tab=limits");
  await page.getByRole("button", { name: "New limit" }).click();
  await give("Set the limit", async (dialog) => {
    await dialog.getByLabel("Name").fill("story-hour");
    await dialog.getByLabel("Mode").selectOption({ label: "Holds payments beyond it" });
    await dialog.getByLabel("Amount").fill("0");
    await dialog.getByLabel("Partner", { exact: true }).selectOption(sandbox.second_partner.id);
    await expect(dialog).toContainText(/In the last 30 days this would have stopped (no payment|\d+ payments? of 1 partner)/);
  });
  const row = page.getByRole("row").filter({ hasText: "story-hour" });
  await expect(row).toContainText("At most 0 of tokens within an hour, for each partner");
  await expect(row).toContainText("Holds");

  const beyond = await quote({}, rival);
  expect(beyond.approval_state).toBe("pending");
  await open(page, `/console/settlements/${beyond.tx_id}`);
  await expect(page.getByRole("region", { name: "Checks", exact: true })).toContainText("At the quote");
  await open(page, "/console/treasury?tab=limits");
  for (const { tx_id } of quoted) await confirm(tx_id, {}, rival);
  const [released = "", refused = ""] = quoted.map(({ tx_id }) => tx_id);
  expect((await find(released, rival)).waiting_reason).toBe("hold");
  const list = page.getByRole("region", { name: "Held payments" });
  await expect(list.getByRole("button", { name: `Release ${released}` })).toBeVisible();
  await list.getByRole("button", { name: `Refuse ${refused}` }).click();
  await give("Refuse it");
  expect(await find(refused, rival)).toMatchObject({ status: "failed", failure_reason: REASON });

  await open(page, `/console/settlements/${released}`);
  const checks = page.getByRole("region", { name: "Checks", exact: true });
  await expect(checks).toContainText(/Held since .* UTC\. Limit: /);
  await expect(checks).toContainText("story-hour version 1: holds.");
  await checks.getByRole("button", { name: "Release" }).click();
  await give("Release it");
  await expect(checks).toContainText(`Released by`);
  await expect.poll(async () => (await find(released, rival)).status).toBe("executed");

  await open(page, "/console/treasury?tab=limits");
  await page.getByRole("button", { name: "Change story-hour" }).click();
  await give("Save the limit", async (dialog) => void (await dialog.getByLabel("Mode").selectOption({ label: "Off" })));
  await expect(row).toContainText("Off");
  const free = await confirmed();
  expect((await find(free, rival)).waiting_reason).toBeNull();
});

test("everything can be stopped at once, and goes on", async () => {
  const { tx_id } = await quote({}, rival);
  await open(page, "/console/treasury?tab=limits");
  await page.getByRole("button", { name: "Stop everything" }).click();
  await give("Stop everything", async (dialog) => {
    await expect(dialog).toContainText(/In the last 30 days this would have stopped [\d,]+ payments? of \d+ partners?: .*\d USDT/);
    await dialog.getByLabel("Type “everything” to confirm").fill("everything");
  });
  const halted = page.getByRole("region", { name: "Halted" });
  await expect(halted).toContainText("Everything");
  const line = page.getByText(/Halted: all payments, stopped by an operator: Looked into with the partner, since .* UTC/);
  await expect(line).toContainText("runbook halts");
  await open(page, "/console/audit");
  await expect(line).toBeVisible();
  await open(page, "/console/treasury?tab=limits");
  await confirm(tx_id, {}, rival);
  expect(await find(tx_id, rival)).toMatchObject({ status: "processing", waiting_reason: "review" });
  await halted.getByRole("button", { name: "Lift the halt" }).click();
  await give("Lift the halt", async (dialog) => await dialog.getByLabel("Type “everything” to confirm").fill("everything"));
  await expect(halted).toBeHidden();
  await expect(line).toHaveCount(0);
  await expect.poll(async () => (await find(tx_id, rival)).status).toBe("executed");
});
