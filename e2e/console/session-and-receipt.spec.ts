import { expect, test } from "@playwright/test";
import { BRAND } from "#sandbox/client/signing.ts";
import { faultsOf } from "../support/accessibility.ts";
import { acknowledge, approveOf, browserOf, footOf, livePill, open, signIn, stepUp, watch } from "../support/console.ts";
import { enter, fillIn, newPerson } from "../support/people.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, find, pendingQuote, quote } from "../support/settlements.ts";

/** The user's input survives the end of the session, and a printed receipt proves something by itself. */

test("a session that ends in the middle of a decision loses nothing that was typed, and what was pressed is not done later", async ({
  browser,
}) => {
  const { tx_id } = await pendingQuote();
  const page = await (await browser.newContext()).newPage();
  await signIn(page, "approver");
  await open(page, `/console/settlements/${tx_id}`);
  await approveOf(page).click();
  const dialog = footOf(page);
  await acknowledge(page);
  await dialog.getByLabel(/^Note/).fill("Called the merchant, all is well");
  // As an admin, or the same person elsewhere, ends it.
  const list = await page.request.get(`${BASE_URL}/api/trpc/session.list`);
  const own = (await list.json()).result.data.find(({ current }: { current: boolean }) => current);
  const end = await page.request.post(`${BASE_URL}/api/trpc/session.end`, { data: { session_id: own.id }, headers: { origin: BASE_URL } });
  expect(end.status()).toBe(200);
  await dialog
    .locator("button[type=submit]")
    .click({ force: true, timeout: 2_000 })
    .catch(() => {});
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(again.getByLabel("Password")).toBeFocused({ timeout: 30_000 });
  // Anyone who passes by reads nothing of what is behind it.
  expect(await page.locator("[data-veiled]:not(:has(*))").evaluate((veil) => getComputedStyle(veil).backgroundColor)).not.toContain("/");
  await again.getByLabel("Password").fill(sandbox.users.approver.password);
  await again.getByRole("button", { name: "Sign in" }).click();
  await expect(again).toHaveCount(0);
  expect((await find(tx_id)).approval_state).toBe("pending");
  await expect(dialog.getByLabel(/^Note/)).toHaveValue("Called the merchant, all is well");
  await dialog.getByRole("button", { name: /^Approve / }).click();
  await expect(dialog).toHaveCount(0);
  expect((await find(tx_id)).approval_state).toBe("approved");
  await page.context().close();
});

test("a step-up changes the browser's secret: its other tabs go on, and a stolen copy of the old one opens nothing", async ({
  browser,
}) => {
  const page = await browserOf(browser, "admin");
  const thief = await browser.newContext({ storageState: await page.context().storageState() });
  const other = await page.context().newPage();
  const troubles = [watch(page), watch(other)];
  await open(page, "/console/settlements");
  await open(other, "/console/callbacks");
  expect((await thief.request.get(`${BASE_URL}/api/trpc/session.me`)).status()).toBe(200);
  await stepUp(page, "admin");
  expect((await thief.request.get(`${BASE_URL}/api/trpc/session.me`)).status()).toBe(401);
  // What happens afterwards reaches both: their streams have connected again, with the new secret.
  await pendingQuote();
  await expect(page.getByRole("button", { name: /^\d+ new settlements?$/ })).toBeVisible({ timeout: 30_000 });
  for (const tab of [page, other]) {
    await expect(livePill(tab)).toHaveText("Live");
    await expect(tab.getByRole("dialog", { name: "Your session has ended" })).toHaveCount(0);
    await tab.getByRole("link", { name: "Partners", exact: true }).first().click();
    await expect(tab.getByRole("heading", { level: 1, name: "Partners" })).toBeVisible();
  }
  expect(troubles).toEqual([[], []]);
  await Promise.all([thief.close(), page.context().close()]);
});

test("a printed receipt says in full who issued it to whom, what was paid, and where that is in the chain, and nothing of the console", async ({
  browser,
}) => {
  const { tx_id, external_merchant_id } = await quote();
  await confirm(tx_id);
  const settled = await ended(tx_id);
  const page = await browserOf(browser, "owner");
  await open(page, `/console/settlements/${tx_id}`);
  await expect(page.getByRole("article", { name: "Receipt" })).toBeHidden();
  await page.emulateMedia({ media: "print" });
  const receipt = page.getByRole("article", { name: "Receipt" });
  await expect(receipt).toBeVisible();
  await expect(receipt).toContainText(/Log index\s*\d+/);
  await expect(receipt.getByRole("link", { name: `${BASE_URL}/docs/proofs` })).toHaveAttribute("href", /#[\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(receipt.getByRole("img", { name: /^The signed receipt/ })).toBeVisible();
  // Nothing on paper depends on colour.
  const ink = (locator: typeof receipt) => locator.evaluate((element) => getComputedStyle(element).color);
  expect(await ink(receipt.getByRole("link"))).toBe(await ink(receipt));
  const text = await receipt.innerText();
  for (const part of [
    tx_id,
    external_merchant_id,
    `Issued by ${BRAND}, ${BASE_URL}`,
    `Demo Partner (${sandbox.partner.id})`,
    settled.tx_hash ?? "no hash",
    settled.wallet_address,
    settled.chain,
    BASE_URL,
    "Executed: paid and final",
  ])
    expect(text).toContain(part);
  for (const shape of [
    /Transaction\s*0x[0-9a-f]{64}/,
    /Block\s*\d+/,
    /Block hash\s*0x[0-9a-f]{64}/,
    /Received\s*1,000\.00 KES/,
    /Platform fee\s*0\.50 USDT/,
    /Paid to the wallet\s*\d+\.\d{2,} USDT/,
    /Network fee, borne by the issuer\s*0\.\d+ \w+/,
    /Printed\s*\d+ \w+ \d{4}, [\d:]+ UTC/,
  ])
    expect(text).toMatch(shape);
  // Nothing else is on the paper.
  const visible = await page.locator("body").innerText();
  expect(visible.trim()).toBe(text.trim());
  await expect(page.locator("button:visible")).toHaveCount(0);
  await page.context().close();
});

test("a person who finds something that they have not done locks their account, and only a colleague lets them back in", async ({
  browser,
  page,
}) => {
  const { email } = await newPerson(browser, "approver");
  await enter(page, email);
  await open(page, "/console/account");
  await page.getByRole("button", { name: "This was not me" }).click();
  const dialog = page.getByRole("dialog", { name: "Lock your account" });
  expect(await faultsOf(page)).toEqual([]);
  if (process.env.SHOTS)
    for (const width of [1280, 390])
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${process.env.SHOTS}/not-me-${width}-${colorScheme}.png` });
      }
  await dialog.getByLabel("What happened?").fill("A sign-in from another city");
  await dialog.getByRole("button", { name: "Lock my account" }).click();
  await page.waitForURL((url) => url.pathname === "/console/sign-in");
  await fillIn(page, email);
  await expect(page.getByRole("alert").first()).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/console/sign-in");
  const admin = await browserOf(browser, "admin");
  await stepUp(admin, "admin");
  await open(admin, "/console/people");
  await admin.getByLabel("Find").fill(email);
  const row = admin.getByRole("table", { name: "People" }).getByRole("row").filter({ hasText: email });
  await row.getByRole("button", { name: /^Actions on/ }).click();
  await admin.getByRole("menuitem", { name: "Reactivate" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Reactivate" }).click();
  await expect(row).not.toContainText("Deactivated");
  await admin.context().close();
  await enter(page, email);
});
