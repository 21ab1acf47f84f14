import { expect, test } from "@playwright/test";
import { createSettlementOperation, getSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { partnerClient } from "#sandbox/client/partner.ts";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { faultsOf } from "../support/accessibility.ts";
import { read } from "../support/answers.ts";
import { createBody } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** An installation in which passkeys sign approvals, with a device that Chromium itself plays. */

let directory: string;
let own: OwnSandbox | null = null;
test.beforeEach(() => {
  directory = newDirectory();
});
test.afterEach(async () => {
  await own?.stop();
  own = null;
  removeDirectory(directory);
});

test("an approver reads what the passkey signs, and only the signed approval counts", async ({ page }) => {
  test.setTimeout(600_000);
  own = await startSandbox(directory, { SIGNED_APPROVALS: "all", SANDBOX_HISTORY: "0" });
  const sandbox = readSandboxFile(own.file);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const kind = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true } as const;
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options: { ...kind, automaticPresenceSimulation: true } });
  const body = createBody({ source_amount: 250_000_000, chain: sandbox.chains[0].chain, external_merchant_id: "signed-shop" });
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const { tx_id } = read(createSettlementOperation, await partner.post("/api/v1/settlements", body));
  const state = async () => read(getSettlementOperation, await partner.get(`/api/v1/settlements/${tx_id}`)).approval_state;

  await page.goto(`${sandbox.base_url}/console/sign-in?next=/console/approvals`);
  await page.getByLabel("E-mail address").fill(sandbox.users.approver.email);
  await page.getByLabel("Password").fill(sandbox.users.approver.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const approve = async () => {
    await page.getByRole("listitem").getByRole("button").filter({ hasText: "signed-shop" }).click();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Approve/ })
      .click();
  };
  await approve();
  await expect(page.getByText("A passkey must sign this decision, and you have none. Add one under Account.")).toBeVisible();

  await page.goto(`${sandbox.base_url}/console/account`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill("Laptop");
  await page.getByRole("button", { name: "Create the passkey" }).click();
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  const saved = page.waitForEvent("download");
  await codes.getByRole("button", { name: "Download" }).click();
  await saved;
  await codes.getByRole("button", { name: "Done" }).click();

  await page.goto(`${sandbox.base_url}/console/approvals`);
  await approve();
  const dialog = page.getByRole("dialog", { name: "Sign this decision" });
  await expect(dialog).toContainText(String(body.wallet_address));
  const lines: [string, string][] = [
    ["Action", "settlement.approve"],
    ["Settlement", tx_id],
    ["Source amount", "2500000.00"],
    ["Version of the price", "2"],
  ];
  for (const [name, value] of lines) {
    const names = await dialog.getByRole("term").allTextContents();
    expect(await dialog.getByRole("definition").nth(names.indexOf(name)).textContent()).toBe(value);
  }
  expect(await faultsOf(page)).toEqual([]);
  // Closed without a signature: nothing is decided, and nothing is reported.
  await dialog.getByRole("button", { name: "Do not sign" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await state()).toBe("pending");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await dialog.getByRole("button", { name: "Sign with a passkey" }).click();
  await expect.poll(state, { timeout: 30_000 }).toBe("approved");
});
