import { expect, type Page, test } from "@playwright/test";
import {
  getWithdrawFiatPoolInfoOperation,
  topupFiatOperation,
  topupFiatStatusOperation,
  withdrawFiatOperation,
  withdrawFiatStatusOperation,
} from "#contract/partner/fiat-operations.ts";
import { createMemberOperation } from "#contract/partner/member-operations.ts";
import { tokenBalance } from "#sandbox/client/chain.ts";
import { faultsOf } from "../support/accessibility.ts";
import { read } from "../support/answers.ts";
import { browserOf, headerOf, open, proveIfAsked, stepUp } from "../support/console.ts";
import { inUnits, plain } from "../support/money.ts";
import { asPartner, asRival, freshName, freshPhone } from "../support/partner-surface.ts";
import { BASE_URL, chain, sandbox } from "../support/running-sandbox.ts";
import { freshWallet, until } from "../support/settlements.ts";

/** Fiat in and out, from the form to the end, with the simulated provider; and what the operator sees of it. */

const WITHDRAW = "/partners/transactions/withdraw-fiat";
const TOPUP = "/partners/transactions/topup-fiat";
const PATIENCE_MS = 45_000;

const addMember = async (by = asPartner) => {
  const body = { external_user_id: freshName("user"), phone: freshPhone(), wallet_address: freshWallet() };
  return read(createMemberOperation, await by.call("POST", "/partners/members", body));
};
const withdraw = async (account = freshPhone()) => {
  const destination = { type: "mobile_money", account, name: "Wanjiru" };
  const body = {
    external_id: freshName("order"),
    amount: 45_600,
    currency: "KES",
    source_currency: "USDT",
    chain: chain.chain,
    destination,
  };
  return read(withdrawFiatOperation, await asPartner.call("POST", WITHDRAW, body));
};
const change = (page: Page, path: string, input: unknown) =>
  page.request.post(`${BASE_URL}/api/trpc/${path}`, { data: input, headers: { origin: new URL(BASE_URL).origin } });
const ask = (page: Page, path: string, input: unknown) =>
  page.request.get(`${BASE_URL}/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
const digits = (value: number) => value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 8 });
const badge = (page: Page) => headerOf(page);
const idIn = (page: Page) => page.url().split("/").at(-1) ?? "";

test("a top-up goes from the form to the member's wallet, seen live; reviewed before, asked for once", async ({ browser }) => {
  const member = await addMember();
  const page = await browserOf(browser, "owner");
  await stepUp(page, "owner");
  await open(page, `/console/fiat?tab=topups&new=topup&member=${member.external_user_id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("To collect").fill("1,234.50");
  await dialog.getByLabel("Currency").selectOption("KES");
  await dialog.getByLabel("Account").fill(freshPhone());
  const externalId = await dialog.getByLabel("External id").inputValue();
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Review" }).click();
  const sum = dialog.getByRole("table", { name: "Arithmetic of the top-up" });
  await expect(sum).toContainText("To the wallet");
  await dialog.getByRole("button", { name: "Back" }).click();
  await expect(dialog.getByLabel("External id")).toHaveValue(externalId);
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByRole("button", { name: "Collect 1,234.50 KES" }).dblclick();
  await page.waitForURL(/\/console\/fiat\/topups\/tu_/);
  const id = idIn(page);
  await expect(badge(page)).toHaveText(/Completed/, { timeout: PATIENCE_MS });
  const topup = read(topupFiatStatusOperation, await asPartner.call("GET", `${TOPUP}/${id}`));
  expect(topup).toMatchObject({ status: "completed", external_id: externalId, amount: 123_450, callback_url: null });
  const shown = page.getByRole("table", { name: "Arithmetic of the top-up" });
  await expect(shown.getByRole("row").last()).toContainText(digits(topup.destination_amount));
  expect(await tokenBalance(chain.rpc_url, chain.tokens.USDT, member.wallet_address ?? "")).toBe(
    inUnits(plain(topup.destination_amount), 6),
  );
  const history = page.getByRole("list", { name: "History" });
  for (const step of ["Requested; the provider collects", "Paid by the member; sending crypto", "Crypto delivered"]) {
    await expect(history).toContainText(step);
  }
  expect(await faultsOf(page)).toEqual([]);
  await page.context().close();
});

test("an open top-up shows how the member pays, large and to copy", async ({ browser }) => {
  const member = await addMember();
  const source = { type: "mobile_money", account: "+254700999902" };
  const body = { external_id: freshName("order"), external_user_id: member.external_user_id, amount: 50_000, currency: "KES" };
  const asked = await asPartner.call("POST", TOPUP, { ...body, destination_currency: "USDT", chain: chain.chain, source });
  const { id } = read(topupFiatOperation, asked);
  const page = await browserOf(browser, "staff");
  await open(page, `/console/fiat/topups/${id}`);
  const pay = page.getByRole("region", { name: "How the member pays" });
  await expect(pay).toContainText(id);
  await expect(pay).toContainText("KES 500.00");
  await expect(pay.getByRole("button", { name: "Copy payment reference" })).toBeVisible();
  await expect(page.getByRole("list", { name: "History" })).toContainText("Not yet");
  await page.context().close();
});

test("a withdrawal out of the partner's own Safe goes from the form to the payee, seen live; the operator sees what the provider said", async ({
  browser,
}) => {
  const [page, admin] = await Promise.all([browserOf(browser, "owner"), browserOf(browser, "admin")]);
  await stepUp(page, "owner");
  await open(page, "/console/fiat?tab=withdrawals");
  await page.getByRole("button", { name: "New withdrawal" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("To pay out").fill("456");
  await dialog.getByLabel("Currency").selectOption("KES");
  await dialog.getByRole("button", { name: "Review" }).click();
  await expect(dialog.getByText("Enter a phone or account number.")).toBeVisible();
  await dialog.getByLabel("Account", { exact: true }).fill(freshPhone());
  await dialog.getByLabel("Account holder's name").fill("Wanjiru");
  await dialog.getByRole("button", { name: "Review" }).click();
  await expect(dialog.getByText("Pool available")).toBeVisible();
  await dialog.getByRole("button", { name: "Withdraw 456.00 KES" }).click();
  await page.waitForURL(/\/console\/fiat\/withdrawals\/wd_/);
  const id = idIn(page);
  await expect(badge(page)).toHaveText(/Completed/, { timeout: PATIENCE_MS });
  const done = read(withdrawFiatStatusOperation, await asPartner.call("GET", `${WITHDRAW}/${id}`));
  expect(done).toMatchObject({ status: "completed", amount: 45_600, external_user_id: null });
  await expect(page.getByRole("table", { name: "Arithmetic of the withdrawal" }).getByRole("row").last()).toContainText(
    digits(done.source_amount),
  );
  const sweep = page.getByRole("region", { name: "Taking the crypto" });
  await expect(sweep).toContainText(done.tx_hash ?? "none");
  await expect(sweep.getByRole("listitem").filter({ hasText: "Executed" })).toHaveAttribute("aria-current", "step");
  await expect(page.getByRole("region", { name: "Messages of the provider" })).toHaveCount(0);
  await expect(page.getByText("Fiat provider", { exact: true })).toHaveCount(0);
  expect(await (await ask(page, "fiat.withdrawal", { id })).json()).toMatchObject({ result: { data: { provider: null } } });
  await open(admin, `/console/fiat/withdrawals/${id}`);
  const log = admin.getByRole("region", { name: "Messages of the provider" }).first();
  await expect(log).toContainText("Applied");
  await expect(log).toContainText(done.provider_reference ?? "none");
  await expect(admin.getByText("Taken to")).toBeVisible();
  const { result } = await (await ask(admin, "fiat.withdrawal", { id })).json();
  await expect(admin.getByRole("definition").filter({ hasText: new RegExp(`^${result.data.provider}$`) })).toBeVisible();
  expect(await faultsOf(admin)).toEqual([]);
  await Promise.all([page.context().close(), admin.context().close()]);
});

test("a withdrawal that cannot be paid out says in plain words what went wrong and where the crypto is", async ({ browser }) => {
  const { id } = await withdraw("+254700999901");
  const page = await browserOf(browser, "owner");
  await open(page, `/console/fiat/withdrawals/${id}`);
  await expect(badge(page)).toHaveText(/Failed, returned/, { timeout: PATIENCE_MS });
  await expect(page.getByText("The account does not exist. The crypto was returned. The Safe has its crypto back.").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Returning the crypto" })).toContainText("Executed");
  await page.context().close();
});

test("a provider that contradicts itself moves nothing twice, and the operator sees each of its words marked", async ({ browser }) => {
  const { id } = await withdraw("+254700999904");
  const admin = await browserOf(browser, "admin");
  await open(admin, `/console/fiat/withdrawals/${id}`);
  await expect(badge(admin)).toHaveText(/Completed/, { timeout: PATIENCE_MS });
  const log = admin.getByRole("region", { name: "Messages of the provider" }).first();
  // Its second word comes after the end, which nothing on the page waits for.
  await expect(async () => {
    await admin.reload();
    await expect(log).toContainText("Contradicts", { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await expect(log).toContainText("Applied");
  await expect(badge(admin)).toHaveText(/Completed/);
  await admin.context().close();
});

test("the pools are those of the API; the operator also sees their history and may add play money", async ({ browser }) => {
  const pools = read(getWithdrawFiatPoolInfoOperation, await asPartner.call("GET", `${WITHDRAW}/pool`));
  const euro = pools.find(({ currency }) => currency === "EUR");
  const [admin, owner] = await Promise.all([browserOf(browser, "admin"), browserOf(browser, "owner")]);
  await open(admin, "/console/fiat");
  const table = admin.getByRole("table", { name: "Fiat pools" });
  await expect(table.getByRole("columnheader", { name: "Low-water mark" })).toBeVisible();
  const pool = table.getByRole("row", { name: /^EUR / });
  await expect(pool.getByRole("cell").nth(2)).toHaveText(`${digits((euro?.available ?? 0) / 100)} EUR`);
  // What can be taken out is never more than is there.
  const largest = Math.min(euro?.available ?? 0, euro?.maximum ?? 0) / 100;
  await expect(pool.getByRole("cell").nth(5)).toHaveText(`${digits(largest)} EUR`);
  await admin.getByRole("combobox", { name: "Pool" }).selectOption("EUR");
  const history = admin.getByRole("figure", { name: "EUR, 30 days" });
  await history.getByRole("button", { name: /View as table/ }).click();
  await expect(history.getByRole("row")).toHaveCount(31);
  expect(await faultsOf(admin)).toEqual([]);
  await pool.getByRole("button", { name: "Fund… the EUR pool" }).click();
  const fund = admin.getByRole("dialog", { name: "Fund the EUR pool" });
  await expect(fund.getByLabel("Amount of play money")).toHaveValue("28000.00");
  await fund.getByLabel("Amount of play money").fill("nothing");
  await expect(fund.getByRole("button", { name: "Add play money" })).toBeDisabled();
  await fund.getByLabel("Amount of play money").fill("1,250.5");
  expect(await faultsOf(admin)).toEqual([]);
  await fund.getByRole("button", { name: "Add 1,250.50 EUR" }).dblclick();
  await proveIfAsked(admin, "admin", admin.getByText("Pool funded"));
  await expect(admin.getByText("Pool funded")).toBeVisible();
  await until(
    async () => read(getWithdrawFiatPoolInfoOperation, await asPartner.call("GET", `${WITHDRAW}/pool`)),
    (now) => (now.find(({ currency }) => currency === "EUR")?.total ?? 0) === (euro?.total ?? 0) + 125_050,
  );
  await open(owner, "/console/fiat");
  await expect(owner.getByRole("table", { name: "Fiat pools" }).getByRole("columnheader", { name: "Available" })).toBeVisible();
  await expect(owner.getByText("Low-water mark")).toHaveCount(0);
  await expect(owner.getByText("These pools hold play money.")).toBeVisible();
  await expect(owner.getByRole("button", { name: /^Fund/ })).toHaveCount(0);
  await Promise.all([admin.context().close(), owner.context().close()]);
});

test("staff looks and asks for nothing; another partner's orders are not there; the operator requests nothing for a partner", async ({
  browser,
}) => {
  const own = await withdraw();
  const foreigner = await addMember(asRival);
  const source = { type: "mobile_money", account: freshPhone() };
  const body = { external_id: freshName("order"), external_user_id: foreigner.external_user_id, amount: 50_000, currency: "KES" };
  const foreign = read(
    topupFiatOperation,
    await asRival.call("POST", TOPUP, { ...body, destination_currency: "USDT", chain: chain.chain, source }),
  );
  const [staff, admin] = await Promise.all([browserOf(browser, "staff"), browserOf(browser, "admin")]);
  await open(staff, `/console/fiat?tab=withdrawals&q=${own.external_id}`);
  await expect(staff.locator("tbody tr")).toHaveCount(1);
  await expect(staff.getByRole("button", { name: "New withdrawal" })).toHaveCount(0);
  const input = {
    external_id: freshName("order"),
    external_user_id: null,
    amount: "100",
    currency: "KES",
    source_currency: "USDT",
    chain: chain.chain,
    destination: { type: "mobile_money", account: freshPhone(), name: "Wanjiru" },
  };
  for (const page of [staff, admin]) expect([403, 404]).toContain((await change(page, "fiat.withdraw", input)).status());
  expect([403, 404]).toContain(
    (await change(staff, "fiat.fundPool", { currency: "KES", amount: "1", request_key: crypto.randomUUID() })).status(),
  );
  expect((await ask(staff, "fiat.topup", { id: foreign.id })).status()).toBe(404);
  const listed = await (await ask(staff, "fiat.topups", { partner_id: sandbox.second_partner.id, search: foreign.id })).json();
  expect(listed.result.data.data).toEqual([]);
  expect((await staff.goto(`${BASE_URL}/console/fiat/topups/${foreign.id}`))?.status()).toBe(404);
  await open(admin, `/console/fiat?tab=topups&q=${foreign.id}`);
  await expect(admin.locator("tbody tr")).toHaveCount(1);
  await Promise.all([staff.context().close(), admin.context().close()]);
});
