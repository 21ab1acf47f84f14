import { expect, type Page, test } from "@playwright/test";
import { encodeFunctionData, toHex } from "viem";
import { callNode } from "#sandbox/chain/rpc.ts";
import { testTokenAbi } from "#sandbox/chain/tokens.ts";
import { faultsOf } from "../support/accessibility.ts";
import { livePill } from "../support/console.ts";
import { partnerClient } from "../support/patient.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, find, freshWallet, quote, until } from "../support/settlements.ts";

/**
 * Something else uses the treasury's key: it takes the nonce of a payment that waits in the pool, and pays another wallet.
 * The chain stops meanwhile, and the treasury is halted, so no other story may need them.
 */

const REASON = "Looked at in two explorers";
const GWEI = 1_000_000_000n;

/** Fits into a phone's width, and axe finds nothing there. */
async function expectFits(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // An open tooltip lies outside the page's regions.
  await page.mouse.move(0, 0);
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("a payment whose nonce something else has used is paid again on an admin's word, and what that paid holds later payments", async ({
  page,
}) => {
  test.setTimeout(420_000);
  const { rpc_url: rpcUrl, tokens } = sandbox.chains[0];
  const treasury = sandbox.treasury.address;
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const countOf = async (block: string) => Number(await callNode(rpcUrl, "eth_getTransactionCount", [treasury, block]));

  await callNode(rpcUrl, "evm_setIntervalMining", [0]);
  const { tx_id } = await quote({}, partner);
  await confirm(tx_id, {}, partner);
  await until(
    async () => [await countOf("pending"), await countOf("latest")],
    ([pending = 0, latest = 0]) => pending > latest,
    60_000,
  );
  const nonce = await countOf("latest");
  const foreign = freshWallet();
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: "transfer", args: [foreign as `0x${string}`, 12_345_678n] });
  await callNode(rpcUrl, "anvil_impersonateAccount", [treasury]);
  const fees = { maxFeePerGas: toHex(90n * GWEI), maxPriorityFeePerGas: toHex(60n * GWEI) };
  await callNode(rpcUrl, "eth_sendTransaction", [
    { from: treasury, to: tokens.USDT, data, nonce: toHex(nonce), gas: toHex(200_000), ...fees },
  ]);
  await callNode(rpcUrl, "evm_setIntervalMining", [1]);

  const { email, password } = sandbox.users.admin;
  await page.goto(`${sandbox.console_url}/sign-in?next=${encodeURIComponent("/console/treasury")}`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(livePill(page)).toHaveText("Live");
  const reviews = page.getByRole("region", { name: "Needs review" });
  await expect(reviews).toContainText("1 payment needs review", { timeout: 60_000 });
  await expectFits(page);
  await reviews.getByRole("button", { name: "Decide" }).click();
  const review = page.getByRole("dialog", { name: "Was it paid?" });
  await expect(review.getByText("is not on the chain.")).toBeVisible();
  // The button says what it does.
  await review.getByRole("radio", { name: /^It was paid/ }).check();
  await expect(review.getByRole("button", { name: "Record it as paid" })).toBeDisabled();
  await review.getByRole("radio", { name: /^It was not paid\. Pay it again/ }).check();
  await review.getByLabel("Reason").fill(REASON);
  await expect(review.getByRole("button", { name: "Pay it again" })).toBeDisabled();
  await review.getByLabel(`Type “${nonce}” to confirm`).fill(String(nonce));
  await expectFits(page);
  await review.getByRole("button", { name: "Pay it again" }).click();
  await expect(review).toHaveCount(0);
  await expect(reviews).toHaveCount(0);

  await page.getByRole("region", { name: "Halted", exact: true }).getByRole("button", { name: "Lift the halt" }).click();
  const lift = page.getByRole("dialog", { name: "Lift the halt" });
  await lift.getByLabel("Reason").fill(REASON);
  const label = await lift.getByText(/^Type “\S+” to confirm$/).innerText();
  await lift.getByLabel(label).fill(/“(.+)”/.exec(label)?.[1] ?? "");
  await lift.getByRole("button", { name: "Lift the halt" }).click();
  await expect(lift).toHaveCount(0);
  expect(await ended(tx_id, partner)).toMatchObject({ status: "executed" });

  const later = await quote({ wallet_address: foreign }, partner);
  await confirm(later.tx_id, {}, partner);
  const held = page.getByRole("region", { name: "Held payments" });
  await expect(held).toContainText(/Unexplained payment: Transaction 0x[0-9a-f]{64} already paid this recipient 12\.345678 USDT/);
  await expectFits(page);
  await held.getByRole("link", { name: "The settlement" }).click();
  const checks = page.getByRole("region", { name: "Checks", exact: true });
  await expect(checks).toContainText(/Before signing, .* UTC: Unexplained payment/);
  await expectFits(page);
  await checks.getByRole("button", { name: "Refuse" }).click();
  const refuse = page.getByRole("dialog", { name: "Refuse the payment" });
  await refuse.getByLabel("Reason").fill(REASON);
  await refuse.getByRole("button", { name: "Refuse it" }).click();
  await expect(refuse).toHaveCount(0);
  await expect.poll(async () => (await find(later.tx_id, partner)).status).toBe("failed");
});
