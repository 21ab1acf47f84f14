import { expect, type Page, test } from "@playwright/test";
import { listSettlementsOperation } from "#contract/settlement/v1/operations.ts";
import { PAYMENT_COLUMNS } from "#domain/payment-file.ts";
import { familyOf, lapsingSettingsOf, newWalletOf } from "#sandbox/chain/families.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { faultsOf } from "../support/accessibility.ts";
import { read } from "../support/answers.ts";
import { dialogOf, livePill } from "../support/console.ts";
import { inUnits } from "../support/money.ts";
import { partnerClient } from "../support/patient.ts";
import { confirm, ended, freshReference, quote } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/**
 * A sandbox with a history and with networks of Solana and Tron. Its second wallet runs low: every page says so, and no payment waits for it. A
 * partner pays on both networks.
 */

const directory = newDirectory();
let own: OwnSandbox | null = null;
let sandbox: SandboxFile;

test.beforeAll(async () => {
  test.setTimeout(420_000);
  own = await startSandbox(directory, { SANDBOX_HISTORY: "1", SANDBOX_CHAINS: "solana,tron" });
  sandbox = readSandboxFile(own.file);
});
test.afterAll(async () => {
  await own?.stop();
  removeDirectory(directory);
});

async function enter(page: Page, { base_url, users }: SandboxFile, role: "admin" | "viewer" | "owner"): Promise<void> {
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
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const { tx_id } = await quote({}, partner);
  await confirm(tx_id, {}, partner);
  expect(await ended(tx_id, partner)).toMatchObject({ status: "executed" });

  await enter(page, sandbox, "viewer");
  const health = page.getByRole("list", { name: "Health" });
  const runsLow = page
    .getByRole("list", { name: "Needs attention" })
    .getByRole("link", { name: /^Treasury: ETH low in 0x.*, 1 of 2 wallets/ });
  await expect(runsLow).toBeVisible({ timeout: 60_000 });
  await expect(health.getByRole("link", { name: "Worker working" })).toBeVisible();
  await page.getByRole("button", { name: "More figures" }).click();
  const runway = page.getByRole("figure", { name: "Wallet runway" });
  await expect(runway).toContainText("Every balance lasts longer than 12 hours at the rate of the last 24. ETH is low in 1 of 2 wallets.");
  // One fact is in one place.
  await expect(health.getByRole("link", { name: /ETH|Treasury/ })).toHaveCount(0);
  await runsLow.click();

  await page.waitForURL(`${sandbox.base_url}/console/treasury`);
  await expect(page.getByText(/^ETH runs low in 0x.*, 1 of 2 wallets\. The other keeps paying\./)).toBeVisible();
  const boards = page.getByRole("article", { name: /^Wallet 0x/ });
  const treasury = boards.and(page.getByRole("article", { name: `Wallet ${sandbox.treasury.address}` }));
  await expect(treasury.getByText("Low", { exact: true })).toHaveCount(0);
  await expect(treasury.getByRole("row").filter({ hasText: tx_id })).toContainText("Final");
  const low = boards.filter({ has: page.getByText("Low", { exact: true }) });
  await expect(low).toHaveCount(1);
  // What needs a top-up comes first, and is named.
  await expect(boards.first()).toContainText("Low");
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

test("an owner pays on Solana and on Tron with one file; the overview shows both, and each payment's page its address, hash and proof", async ({
  page,
}) => {
  const places = (["solana", "tron"] as const).map((family) => {
    const place = sandbox.chains.find(({ chain }) => familyOf(chain) === family);
    const settings = place === undefined ? null : lapsingSettingsOf(place);
    if (place === undefined || settings === null) throw new Error(`there is no ${family}`);
    const [chain] = openLapsingChains([settings], { isLive: false }).list();
    return { family, chain: place.chain, wallet: newWalletOf(family), token: place.tokens.USDC ?? "", node: chain?.nodes[0] };
  });
  const name = freshReference();
  const rows = places.map(({ family, chain, wallet }) => [`${name}-${family}`, "merchant-1", "2500.00", "KES", "USDC", chain, wallet]);
  const text = [[...PAYMENT_COLUMNS], ...rows].map((cells) => cells.join(",")).join("\n");
  await enter(page, sandbox, "owner");
  await page.goto(`${sandbox.base_url}/console/batches/new`);
  await expect(livePill(page)).toHaveText("Live");
  await page.getByLabel("CSV file").setInputFiles({ name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Check the file" }).click();
  await page.getByRole("button", { name: "Create 2 payments" }).click();
  await page.waitForURL(/\/console\/batches\/ba_/);
  await page.getByRole("button", { name: "Confirm 2 payments…" }).click();
  await dialogOf(page).getByRole("button", { name: "Confirm 2", exact: true }).click();
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("2 of 2 paid", { timeout: 120_000 });

  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const figure = page.getByRole("figure", { name: "Confirmed to executed" });
  await page.goto(`${sandbox.base_url}/console?figures=all`);
  for (const { family, chain, wallet, token, node } of places) {
    await figure.getByRole("combobox", { name: "Chain" }).selectOption(chain);
    await expect(figure).toContainText(`On ${chain}; p95 at most`);
    const { data } = read(listSettlementsOperation, await partner.get(`/api/v1/settlements?external_tx_id=${name}-${family}`));
    const [paid] = data;
    if (paid === undefined) throw new Error(`there is no ${name}-${family}`);
    expect(paid).toMatchObject({ chain, wallet_address: wallet, status: "executed" });
    await page.getByRole("table", { name: "The ten newest settlements" }).getByRole("link", { name: paid.tx_id }).click();
    await page.waitForURL(({ pathname }) => pathname === `/console/settlements/${paid.tx_id}`);
    await expect(page.getByRole("main")).toContainText(wallet);
    await expect(page.getByRole("main")).toContainText(paid.tx_hash ?? "no hash");
    expect(await node?.balance(wallet, token)).toBe(inUnits(String(paid.destination_amount), 6));
    expect(await faultsOf(page)).toEqual([]);
    await page.goBack();
  }
});
