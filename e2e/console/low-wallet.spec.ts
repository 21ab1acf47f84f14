import { expect, type Page, test } from "@playwright/test";
import { partnerClient } from "#sandbox/client/partner.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { faultsOf } from "../support/accessibility.ts";
import { livePill } from "../support/console.ts";
import { confirm, ended, quote } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** The second wallet of a sandbox with a history: it runs low, and every page says so; no payment waits for it. */

const directory = newDirectory();
let own: OwnSandbox | null = null;

test.afterAll(async () => {
  await own?.stop();
  removeDirectory(directory);
});

async function enter(page: Page, { base_url, users }: SandboxFile, role: "admin" | "viewer"): Promise<void> {
  await page.goto(`${base_url}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(users[role].email);
  await page.getByLabel("Password").fill(users[role].password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(livePill(page)).toHaveText("Live");
}

test("a wallet that runs low is shown as one of several, with links to it and in the bell, and payments go out from the other", async ({
  page,
  browser,
}) => {
  test.setTimeout(420_000);
  own = await startSandbox(directory, { SANDBOX_HISTORY: "1" });
  const sandbox = readSandboxFile(own.file);
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const { tx_id } = await quote({}, partner);
  await confirm(tx_id, {}, partner);
  expect(await ended(tx_id, partner)).toMatchObject({ status: "executed" });

  await enter(page, sandbox, "viewer");
  const health = page.getByRole("list", { name: "Health" });
  const runsLow = page.getByRole("list", { name: "Needs attention" }).getByRole("link", { name: /^Treasury: ETH low in 1 of 2 wallets/ });
  await expect(runsLow).toBeVisible({ timeout: 60_000 });
  await expect(health.getByRole("link", { name: "Worker working" })).toBeVisible();
  await page.getByRole("button", { name: "More figures" }).click();
  const runway = page.getByRole("figure", { name: "Wallet runway" });
  await expect(runway).toContainText("Every balance lasts longer than 12 hours at the rate of the last 24. ETH is low in 1 of 2 wallets.");
  // One fact is in one place.
  await expect(health.getByRole("link", { name: /ETH|Treasury/ })).toHaveCount(0);
  await runsLow.click();

  await page.waitForURL(`${sandbox.base_url}/console/treasury`);
  await expect(page.getByText("ETH runs low in 1 of 2 wallets. The other keeps paying")).toBeVisible();
  const boards = page.getByRole("article", { name: /^Wallet 0x/ });
  const treasury = boards.and(page.getByRole("article", { name: `Wallet ${sandbox.treasury.address}` }));
  await expect(treasury.getByText("Low", { exact: true })).toHaveCount(0);
  await expect(treasury.getByRole("row").filter({ hasText: tx_id })).toContainText("Final");
  const low = boards.filter({ has: page.getByText("Low", { exact: true }) });
  await expect(low).toHaveCount(1);
  await expect(low).toContainText("Working");
  await expect(low).toContainText("confirmed below 0 · 0 on their way · next 0");
  const address = ((await low.getAttribute("aria-label")) ?? "").replace("Wallet ", "");
  expect(await faultsOf(page)).toEqual([]);

  expect((await fetch(`${sandbox.base_url}/ready`)).status).toBe(200);
  const { troubles } = await (await page.request.get(`${sandbox.base_url}/api/console/troubles`)).json();
  expect(troubles.map(({ part }: { part: string }) => part)).not.toContain("payments");
  await page.goto(`${sandbox.base_url}/console/notifications`);
  const link = page.getByRole("link", { name: `A treasury wallet runs low: ETH of ${address} on ${sandbox.chains[0].chain}` });
  await expect(link).toHaveAttribute("href", "/console/treasury", { timeout: 60_000 });

  // The wallet of the history is retired: it signs nothing that could be halted.
  const admin = await (await browser.newContext()).newPage();
  await enter(admin, sandbox, "admin");
  await admin.goto(`${sandbox.base_url}/console/treasury`);
  const every = admin.getByRole("article", { name: /^Wallet 0x/ });
  const retired = every.filter({ has: admin.getByText("Retired", { exact: true }) });
  await expect(retired.getByRole("button", { name: /^State of wallet/ })).toBeVisible();
  await expect(retired.getByRole("button", { name: "Halt", exact: true })).toHaveCount(0);
  const working = every.and(admin.getByRole("article", { name: `Wallet ${sandbox.treasury.address}` }));
  await expect(working.getByRole("button", { name: "Halt", exact: true })).toBeVisible();
  await admin.context().close();
});
