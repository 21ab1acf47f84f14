import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { sandboxFilePath } from "#sandbox/client/sandbox-file.ts";
import { faultsOf } from "../support/accessibility.ts";
import { browserOf, open, watch } from "../support/console.ts";
import { call, enter, newPerson } from "../support/people.ts";
import { receiverThat } from "../support/receiver.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import { QUIET_URL, quote } from "../support/settlements.ts";

/** The mails that the sandbox has caught for somebody, unfolded. */
function mailsTo(email: string): string[] {
  const folder = join(dirname(sandboxFilePath()), "mail");
  const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return mails.filter((mail) => mail.includes(`To: ${email}`)).map((mail) => mail.replaceAll("=\n", "").replaceAll("=3D", "="));
}

test("a person who asked for it hears by mail, webhook and bell that something waits, and one click leads there", async ({
  page,
  browser,
}) => {
  const { email } = await newPerson(browser, "approver");
  const chat = await receiverThat((response) => response.end("ok"));
  const troubles = watch(page);
  await enter(page, email);
  await open(page, "/console/notifications");
  await page.getByLabel("Address of the webhook").fill(chat.url);
  await page.getByRole("button", { name: "Save the webhook" }).click();
  await expect(page.getByText(`The webhook is at ${new URL(chat.url).host}.`)).toBeVisible();
  expect(await page.content()).not.toContain("/hook?of");
  for (const road of ["Mail", "Webhook"]) await page.getByRole("checkbox", { name: `${road}: A settlement waits for approval` }).check();
  await page.getByLabel("Mail and webhook").selectOption({ label: "At once" });
  await page.getByLabel("Your time zone").selectOption("Africa/Nairobi");
  await page.getByRole("button", { name: "Save the hours" }).click();
  expect(await faultsOf(page)).toEqual([]);

  const merchant = `told-${Date.now()}`;
  const { tx_id } = await quote({ source_amount: 250_000_000, external_merchant_id: merchant, callback_url: QUIET_URL });
  await expect.poll(() => mailsTo(email).filter((mail) => mail.includes(tx_id)).length, { timeout: 60_000 }).toBe(1);
  expect(mailsTo(email).join()).toContain(`${BASE_URL}/console/approvals?tx=${tx_id}`);
  const posted = () =>
    chat.requests.map(({ body }) => String(JSON.parse(body.toString("utf8")).text)).filter((text) => text.includes(tx_id));
  await expect.poll(() => posted().length, { timeout: 60_000 }).toBe(1);
  expect(posted()[0]).toContain(`<${BASE_URL}/console/approvals?tx=${tx_id}|`);

  const bell = page.getByRole("button", { name: /^Notifications, \d+ unread$/ });
  await expect(bell).toBeVisible({ timeout: 60_000 });
  await bell.click();
  await page.getByRole("menuitem", { name: new RegExp(`Awaiting approval 2,500,000.00 KES ${merchant} · .* ago`) }).click();
  await page.waitForURL((url) => url.pathname === "/console/approvals" && url.searchParams.get("tx") === tx_id);
  await open(page, "/console/notifications");
  const row = page.getByRole("table", { name: "Your notifications" }).getByRole("row").filter({ hasText: merchant });
  await expect(row).toHaveCount(1);
  await expect(row.getByText("Unread:")).toHaveCount(0);

  const admin = await browserOf(browser, "admin");
  expect((await call(admin, "approvals.reject", { tx_id, reason: "not known here" })).status()).toBe(200);
  await admin.context().close();
  await expect.poll(() => posted().length, { timeout: 60_000 }).toBe(2);
  expect(posted()[1]).toMatch(new RegExp(`^\\*.+: Rejected by .+, ${tx_id}\\*`));
  expect(troubles).toEqual([]);
  await chat.close();
});

test("a notice that another person's decision settles leaves the count and names who decided", async ({ browser, page }) => {
  const { email } = await newPerson(browser, "approver");
  await enter(page, email);
  await open(page, "/console/rates");
  const merchant = `settled-${Date.now()}`;
  const { tx_id } = await quote({ source_amount: 250_000_000, external_merchant_id: merchant, callback_url: QUIET_URL });
  const listed = page.getByRole("menuitem", { name: new RegExp(merchant) });
  await page.getByRole("button", { name: /^Notifications, \d+ unread$/ }).click();
  const second = await (await browser.newContext()).newPage();
  await enter(second, email);
  await open(second, "/console/rates");
  const bells = [page, second].map((each) => each.getByRole("button", { name: /^Notifications/ }));
  await expect(bells[1] ?? listed).toHaveAccessibleName(/unread$/);
  await expect(listed).toHaveAccessibleName(/Unread: Awaiting approval 2,500,000.00 KES/);

  const approver = await browserOf(browser, "approver");
  expect((await call(approver, "approvals.reject", { tx_id, reason: "not known here" })).status()).toBe(200);
  await approver.context().close();
  await expect(listed).toHaveAccessibleName(/^Rejected by .+ 2,500,000.00 KES/, { timeout: 10_000 });
  // Other notices may come meanwhile: in each browser the count is that of those that are left.
  const left = page.getByRole("menuitem", { name: /^Unread:/ });
  await expect
    .poll(async () => {
      const [names, count] = [await Promise.all(bells.map((bell) => bell.getAttribute("aria-label"))), await left.count()];
      return names.every((name) => name === (count === 0 ? "Notifications" : `Notifications, ${count} unread`));
    })
    .toBe(true);
  await second.context().close();
});
