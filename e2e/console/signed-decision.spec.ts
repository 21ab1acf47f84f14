import { type Browser, expect, type Page, test } from "@playwright/test";
import { getSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { faultsOf } from "../support/accessibility.ts";
import { read } from "../support/answers.ts";
import { acknowledge, approveOf, footOf } from "../support/console.ts";
import { withDevice } from "../support/passkeys.ts";
import { partnerClient } from "../support/patient.ts";
import { PASSWORD } from "../support/people.ts";
import { confirm, quote } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** An installation in which passkeys sign approvals and payments above a cap, with devices that Chromium itself plays. */

let directory: string;
let own: OwnSandbox | null = null;
let sandbox: ReturnType<typeof readSandboxFile>;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  directory = newDirectory();
  const caps = JSON.stringify({ "eip155:31337": { USDT: { hour: "50" } } });
  own = await startSandbox(directory, { SIGNED_APPROVALS: "all", SIGNER_CAPS: caps, SANDBOX_HISTORY: "0" });
  sandbox = readSandboxFile(own.file);
});
test.afterAll(async () => {
  await own?.stop();
  own = null;
  removeDirectory(directory);
});

test("an approver reads what the passkey signs, and only the signed approval counts", async ({ page }) => {
  test.setTimeout(600_000);
  await withDevice(page);
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const asked = { source_amount: 250_000_000, chain: sandbox.chains[0].chain, external_merchant_id: "signed-shop" };
  const { tx_id, wallet_address } = await quote(asked, partner);
  const state = async () => read(getSettlementOperation, await partner.get(`/api/v1/settlements/${tx_id}`)).approval_state;

  await page.goto(`${sandbox.base_url}/console/sign-in?next=/console/approvals`);
  await page.getByLabel("E-mail address").fill(sandbox.users.approver.email);
  await page.getByLabel("Password").fill(sandbox.users.approver.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const approve = async () => {
    await page.getByRole("listitem").getByRole("button").filter({ hasText: "signed-shop" }).click();
    await acknowledge(page);
    await approveOf(page).click();
    await footOf(page)
      .getByRole("button", { name: /^Approve/ })
      .click();
  };
  await approve();
  await expect(page.getByText("A passkey must sign this decision, and you have none. Add one under Account.")).toBeVisible();

  await addPasskeyAt(page, sandbox.base_url);
  await page.goto(`${sandbox.base_url}/console/approvals`);
  await approve();
  const dialog = page.getByRole("dialog", { name: "Sign this decision" });
  await expect(dialog).toContainText(wallet_address);
  const lines: [string, string][] = [
    ["Action", "settlement.approve"],
    ["Settlement", tx_id],
    ["Source amount", "2500000.00"],
    ["Version of the price", "2"],
  ];
  for (const [name, value] of lines) expect(await lineOf(page, name)).toBe(value);
  expect(await faultsOf(page)).toEqual([]);
  // Closed without a signature: nothing is decided, and nothing is reported.
  await dialog.getByRole("button", { name: "Do not sign" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await state()).toBe("pending");
  await footOf(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await dialog.getByRole("button", { name: "Sign with a passkey" }).click();
  await expect.poll(state, { timeout: 30_000 }).toBe("approved");

  // A selection is signed once, with each of its settlements in the record.
  const wallets: string[] = [];
  for (const merchant of ["one-shop", "two-shop"]) {
    const each = await quote({ ...asked, external_merchant_id: merchant }, partner);
    wallets.push(each.wallet_address);
  }
  await page.goto(`${sandbox.base_url}/console/approvals`);
  for (const merchant of ["one-shop", "two-shop"]) await page.getByRole("checkbox", { name: new RegExp(merchant) }).check();
  await page.getByRole("button", { name: "Approve selected…" }).click();
  const selection = page.getByRole("region", { name: "Approve the selected" });
  for (const box of await selection.getByRole("checkbox", { name: "Warnings read: include it" }).all()) await box.check();
  await selection.getByRole("button", { name: /^Approve 2/ }).click();
  expect(await lineOf(page, "Action")).toBe("settlements.approve");
  expect([await lineOf(page, "Settlement · 1 · Recipient"), await lineOf(page, "Settlement · 2 · Recipient")].toSorted()).toEqual(
    wallets.toSorted(),
  );
  await dialog.getByRole("button", { name: "Sign with a passkey" }).click();
  await expect(selection).toContainText("2 of 2 approved.");
});

test("two admins sign one payment above the signer's cap, and it is paid, while its neighbour waits", async ({ page, browser }) => {
  test.setTimeout(600_000);
  const base = sandbox.base_url;
  const partner = partnerClient(base, sandbox.partner);
  const confirmed = async () => {
    const { tx_id, wallet_address } = await quote({ source_amount: 1_000_000, chain: sandbox.chains[0].chain }, partner);
    await confirm(tx_id, {}, partner);
    return { tx_id, wallet: wallet_address };
  };
  const statusOf = async (id: string) => read(getSettlementOperation, await partner.get(`/api/v1/settlements/${id}`)).status;
  const [paid, waiting] = [await confirmed(), await confirmed()];
  await withDevice(page);
  await signInAt(page, base, sandbox.users.admin);
  const second = await newAdminAt(page, browser, base);
  for (const [place, each] of [page, second].entries()) {
    await addPasskeyAt(each, base);
    await each.goto(`${base}/console/settlements/${paid.tx_id}`);
    await each.getByRole("button", { name: "Sign above the cap" }).click();
    const order = each.getByRole("dialog", { name: "Let this payment go above the signer's cap?" });
    expect(await faultsOf(each)).toEqual([]);
    await order.getByLabel("Reason").fill("Agreed with the partner");
    await order.getByRole("button", { name: "Sign above the cap" }).click();
    // The second of two has just proven a second factor.
    if (place === 1)
      await each.getByRole("dialog", { name: "Confirm that it is you" }).getByRole("button", { name: "Use a passkey" }).click();
    const dialog = each.getByRole("dialog", { name: "Sign this decision" });
    await expect(dialog).toContainText(paid.wallet);
    expect([await lineOf(each, "Action"), await lineOf(each, "Above the cap of the")]).toEqual(["payment.above_cap", "hour"]);
    await dialog.getByRole("button", { name: "Sign with a passkey" }).click();
    const message = place === 0 ? "Signed. Another admin must sign as well." : "Signed by two. The payment goes on.";
    await expect(each.getByText(message)).toBeVisible();
  }
  await expect.poll(() => statusOf(paid.tx_id), { timeout: 60_000 }).toBe("executed");
  expect(await statusOf(waiting.tx_id)).toBe("processing");
  await takeOut(page, second, base);
  await second.context().close();
});

/** The same two take coins out of a treasury wallet. */
async function takeOut(page: Page, second: Page, base: string): Promise<void> {
  const withdrawals = `${base}/console/treasury?tab=withdrawals`;
  await page.goto(withdrawals);
  await page.getByRole("button", { name: "Propose a withdrawal" }).click();
  const proposal = page.getByRole("dialog", { name: "Propose a withdrawal" });
  await proposal.getByLabel("Currency").selectOption("ETH");
  const destination = await proposal.getByLabel("To the destination").inputValue();
  // On a phone too, every digit of both addresses is there to be compared.
  const { width = 1280, height = 800 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 390, height: 800 });
  for (const label of ["Out of the wallet", "To the destination"]) {
    const address = await proposal.getByLabel(label).inputValue();
    const shown = proposal.getByText(address, { exact: true });
    await expect(shown).toBeVisible();
    const { x = 0, width: wide = 1_000 } = (await shown.boundingBox()) ?? {};
    expect(x + wide).toBeLessThanOrEqual(390);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.setViewportSize({ width, height });
  await proposal.getByLabel("Amount").fill("0.01");
  await proposal.getByLabel("Reason").fill("To cold storage");
  expect(await faultsOf(page)).toEqual([]);
  await proposal.getByRole("button", { name: "Propose the withdrawal" }).click();
  await expect(page.getByText("The withdrawal is proposed. Two admins must sign it.")).toBeVisible();
  for (const [place, each] of [page, second].entries()) {
    await each.goto(withdrawals);
    await each.getByRole("button", { name: /^Sign the withdrawal of 0.01/ }).click();
    const order = each.getByRole("dialog", { name: "Sign this withdrawal?" });
    expect(await faultsOf(each)).toEqual([]);
    await order.getByRole("button", { name: "Sign the withdrawal" }).click();
    expect([await lineOf(each, "Action"), await lineOf(each, "Recipient")]).toEqual(["treasury.withdraw", destination]);
    await each.getByRole("dialog", { name: "Sign this decision" }).getByRole("button", { name: "Sign with a passkey" }).click();
    await expect(each.getByText(place === 0 ? "Signed. Another admin must sign as well." : "Signed by two. It is paid now.")).toBeVisible();
    await expect(each.getByRole("button", { name: /^Sign the withdrawal of/ })).toHaveCount(0);
  }
  const list = page.getByRole("region", { name: "Treasury withdrawals, newest first" });
  await expect(list).toContainText("Paid", { timeout: 60_000 });
  for (const colorScheme of ["dark", "light"] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    }
}

/** The value of a line of what is signed. */
async function lineOf(page: Page, name: string): Promise<string | null> {
  const dialog = page.getByRole("dialog", { name: "Sign this decision" });
  await expect(dialog).toBeVisible();
  const names = await dialog.getByRole("term").allTextContents();
  return await dialog.getByRole("definition").nth(names.indexOf(name)).textContent();
}

async function signInAt(page: Page, base: string, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto(`${base}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/console/sign-in"));
}

/** Another admin, invited by the page's, in a browser with a device. */
async function newAdminAt(page: Page, browser: Browser, base: string): Promise<Page> {
  const call = async (procedure: string, data: object) => {
    const answer = await page.request.post(`${base}/api/trpc/${procedure}`, { data, headers: { origin: base } });
    expect(answer.status(), procedure).toBe(200);
    return (await answer.json()).result.data;
  };
  const email = "second@example.com";
  const { link } = await call("people.invite", { email, role: "admin", partner_id: null });
  await call("people.accept", { token: link.split("/").at(-1), name: "Second admin", password: PASSWORD });
  const other = await (await browser.newContext()).newPage();
  await withDevice(other);
  await signInAt(other, base, { email, password: PASSWORD });
  return other;
}

/** Adds the first passkey under Account, and takes the recovery codes. */
async function addPasskeyAt(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/console/account`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill("Laptop");
  await page.getByRole("button", { name: "Create the passkey" }).click();
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  const saved = page.waitForEvent("download");
  await codes.getByRole("button", { name: "Download" }).click();
  await saved;
  await codes.getByRole("button", { name: "Done" }).click();
  await expect(codes).toHaveCount(0);
}
