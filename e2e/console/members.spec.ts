import { expect, type Page, test } from "@playwright/test";
import { createMemberOperation, getMemberOperation, getMemberSafeInfoOperation } from "#contract/partner/member-operations.ts";
import { faultsOf } from "../support/accessibility.ts";
import { read } from "../support/answers.ts";
import { browserOf, headerOf, open, proveIfAsked } from "../support/console.ts";
import { asPartner, asRival, freshName, freshPhone } from "../support/partner-surface.ts";
import { BASE_URL, chain, sandbox } from "../support/running-sandbox.ts";
import { freshWallet, until } from "../support/settlements.ts";

/** Members and their Safes: created by their partner's owner, seen by the operator, hidden from everybody else. */

const PATIENCE_MS = 45_000;
const addMember = async (by = asPartner, more: Record<string, unknown> = {}) => {
  const body = { external_user_id: freshName("user"), phone: freshPhone(), wallet_address: freshWallet(), ...more };
  return read(createMemberOperation, await by.call("POST", "/partners/members", body));
};
const ask = (page: Page, path: string, input: unknown) =>
  page.request.get(`${BASE_URL}/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
const change = (page: Page, path: string, input: unknown) =>
  page.request.post(`${BASE_URL}/api/trpc/${path}`, { data: input, headers: { origin: new URL(BASE_URL).origin } });

test("a member created without a wallet gets a Safe, and its page shows the Safe as the chain has it", async ({ browser }) => {
  const page = await browserOf(browser, "owner");
  await open(page, "/console/members");
  await page.getByRole("button", { name: "New member" }).first().click();
  const dialog = page.getByRole("dialog");
  const [name, phone] = [freshName("console"), freshPhone()];
  await dialog.getByLabel("External id").fill(name);
  await dialog.getByLabel("Phone").fill(`${phone.slice(0, 4)} ${phone.slice(4, 7)} ${phone.slice(7)}`);
  await dialog.getByLabel("Name").fill("Wanjiru");
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create member" }).click();
  await page.waitForURL(/\/console\/members\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wanjiru");
  const safe = page.getByRole("region", { name: "Safe", exact: true });
  await expect(safe.getByText(/^Read at block [\d,]+, /)).toBeVisible({ timeout: PATIENCE_MS });
  await expect(headerOf(page)).toContainText("Safe deployed");
  const answer = await until(
    () => asPartner.call("GET", `/partners/members/${name}/safe`),
    ({ status }) => status !== 503,
  );
  const info = read(getMemberSafeInfoOperation, answer);
  for (const text of [info.address, info.version, `1 of 1 owner`, sandbox.treasury.address, info.master_copy])
    await expect(safe).toContainText(text);
  await expect(page.getByRole("list", { name: "History" })).toContainText("Safe deployed");
  await safe.getByRole("button", { name: "Refresh" }).click();
  await expect(safe.getByText(/^Read at block/)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await page.context().close();
});

test("what is wrong with a new member is shown at its field, another member's phone too", async ({ browser }) => {
  const other = await addMember();
  const page = await browserOf(browser, "owner");
  await open(page, "/console/members");
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog");
  const wallet = dialog.getByLabel("Wallet");
  await wallet.fill(chain.tokens.USDT);
  await dialog.getByLabel("Phone").fill("0712345678");
  await dialog.getByLabel("External id").fill(freshName("console"));
  await expect(dialog.getByText("The address is a token contract or belongs to the service.")).toBeVisible();
  await expect(dialog.getByText(/Enter a phone number with country code/)).toBeVisible();
  const address = freshWallet();
  await wallet.fill(
    address.replace(/[a-f]/, (letter) => letter.toUpperCase()).replace(/[A-F](?!.*[A-F])/, (letter) => letter.toLowerCase()),
  );
  await dialog.getByLabel("Name").focus();
  await expect(dialog.getByText("The capitals of the address do not match its EIP-55 checksum.")).toBeVisible();
  await wallet.fill(address);
  await dialog.getByLabel("Phone").fill(other.phone);
  await dialog.getByRole("button", { name: "Create member" }).click();
  await expect(dialog.getByText("Another member has this phone.")).toBeVisible();
  await expect(dialog.getByLabel("Phone")).toHaveAttribute("aria-invalid", "true");
  await page.context().close();
});

test("an owner changes a member, the operator finds it by search and partner and sees who did", async ({ browser }) => {
  const member = await addMember();
  const [owner, admin] = await Promise.all([browserOf(browser, "owner"), browserOf(browser, "admin")]);
  await open(owner, `/console/members/${member.id}`);
  await owner.keyboard.press("e");
  const name = freshName("Amina");
  await owner.getByRole("dialog").getByLabel("Name").fill(name);
  await owner.getByRole("button", { name: "Save" }).click();
  await expect(owner.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(owner.getByRole("list", { name: "History" })).toContainText("Changed: name");
  await open(admin, `/console/members?q=${name}`);
  const rows = admin.locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Demo Partner");
  await rows.getByRole("link", { name: member.external_user_id }).click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(admin.getByRole("button", { name: "Edit" })).toHaveCount(0);
  expect((await change(admin, "members.update", { id: member.id, name: "Somebody" })).status()).toBe(404);
  await open(admin, `/console/members?q=${name}&safe=failed`);
  await expect(admin.getByText("No match")).toBeVisible();
  await Promise.all([owner.context().close(), admin.context().close()]);
});

test("staff looks and changes nothing; another partner's member is not there, by page or procedure", async ({ browser }) => {
  const [own, foreign] = [await addMember(), await addMember(asRival)];
  const page = await browserOf(browser, "staff");
  await open(page, `/console/members/${own.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(own.external_user_id);
  await expect(page.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await open(page, "/console/members");
  await expect(page.getByRole("button", { name: "New member" })).toHaveCount(0);
  const body = { external_user_id: freshName("console"), phone: freshPhone() };
  for (const [path, input] of [
    ["members.create", body],
    ["members.update", { id: own.id, name: "Somebody" }],
  ] as const) {
    expect([403, 404]).toContain((await change(page, path, input)).status());
  }
  for (const path of ["members.byId", "members.safe"]) expect((await ask(page, path, { id: foreign.id })).status(), path).toBe(404);
  const listed = await (
    await ask(page, "members.list", { partner_id: sandbox.second_partner.id, search: foreign.external_user_id })
  ).json();
  expect(listed.result.data.data).toEqual([]);
  expect((await page.goto(`${BASE_URL}/console/members/${foreign.id}`))?.status()).toBe(404);
  expect((await page.goto(`${BASE_URL}/console/members/safes`))?.status()).toBe(404);
  expect(read(getMemberOperation, await asPartner.call("GET", `/partners/members/${own.id}`)).name).toBeNull();
  await page.context().close();
});

test("an admin deploys a fallback handler: typed, proven, followed to the block; the transaction is the chain's own", async ({
  browser,
}) => {
  const page = await browserOf(browser, "admin");
  await open(page, "/console/members/safes");
  await page.getByRole("button", { name: "Deploy", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What").selectOption("fallback_handler");
  await dialog.getByRole("button", { name: "Review" }).click();
  const deploy = dialog.getByRole("button", { name: "Deploy fallback handler" });
  await expect(deploy).toBeDisabled();
  await dialog.getByLabel(/^Type /).fill(chain.chain);
  await deploy.click();
  await proveIfAsked(page, "admin", page.getByText("Transaction", { exact: true }));
  await expect(dialog.getByText("Transaction", { exact: true })).toBeVisible({ timeout: PATIENCE_MS });
  await expect(dialog.getByRole("status").filter({ hasText: "Deployed" })).toHaveCount(1, { timeout: PATIENCE_MS });
  await dialog.getByRole("link", { name: "Open the deployment" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fallback handler 1.4.1");
  const hash = await page
    .getByTitle(/^0x[0-9a-f]{64}$/)
    .first()
    .getAttribute("title");
  expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await faultsOf(page)).toEqual([]);
  const viewer = await browserOf(browser, "viewer");
  await open(viewer, "/console/members/safes");
  await expect(viewer.getByRole("button", { name: "Deploy", exact: true })).toHaveCount(0);
  const input = { request_key: crypto.randomUUID(), contract: "fallback_handler", chain: chain.chain, version: "1.4.1" };
  expect((await change(viewer, "safes.createContract", input)).status()).toBe(403);
  await Promise.all([page.context().close(), viewer.context().close()]);
});

test("a member's Safe that is deployed changes its row in the open list", async ({ browser }) => {
  const page = await browserOf(browser, "owner");
  const { external_user_id } = await addMember(asPartner, { wallet_address: undefined });
  await open(page, `/console/members?q=${external_user_id}`);
  await expect(page.locator("tbody tr")).toContainText("Safe deployed", { timeout: PATIENCE_MS });
  const { wallet_address } = await until(
    async () => read(getMemberOperation, await asPartner.call("GET", `/partners/members/${external_user_id}`)),
    ({ safe_status }) => safe_status === "deployed",
  );
  await expect(page.locator("tbody tr").getByTitle(wallet_address ?? "")).toBeVisible();
  await page.context().close();
});
