import { expect, test } from "@playwright/test";
import { advanceClock, HOUR, MINUTE } from "../support/clock.ts";
import { browserOf, open } from "../support/console.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, pendingQuote, quote } from "../support/settlements.ts";

/** One list of what waits for a decision, the substitute of an absent person, and the console in French. */

test("an approver finds what waits in one list, goes where it is decided, and names a substitute", async ({ browser }) => {
  const merchant = `queue-${crypto.randomUUID()}`;
  const { tx_id } = await pendingQuote({ external_merchant_id: merchant });
  const page = await browserOf(browser, "approver");
  await open(page, "/console/queue");
  const row = page.getByRole("row").filter({ hasText: merchant });
  await expect(row).toContainText("Settlement");
  await expect(row.getByRole("link", { name: `Decide: Settlement ${merchant}` })).toHaveAttribute(
    "href",
    `/console/approvals?tx=${encodeURIComponent(tx_id)}`,
  );
  const away = page.getByRole("region", { name: "When you are away" });
  await away.getByLabel("Your substitute").selectOption({ index: 0 });
  await away.getByLabel("Until").fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10));
  await away.getByRole("button", { name: "Set the absence" }).click();
  await expect(away).toContainText(/You are away until .* is your substitute\./);
  await away.getByRole("button", { name: "I am back" }).click();
  await expect(away.getByRole("button", { name: "Set the absence" })).toBeVisible();
  await row.getByRole("link", { name: /^Decide/ }).click();
  await expect(page).toHaveURL(/\/console\/approvals\?tx=/);
});

test("a decision that waits past its promised time is passed on to one person, and the queue says to whom", async ({ browser }) => {
  const merchant = `late-${crypto.randomUUID()}`;
  await pendingQuote({ external_merchant_id: merchant });
  await advanceClock(HOUR + MINUTE);
  const [approver, admin] = [await browserOf(browser, "approver"), await browserOf(browser, "admin")];
  await open(approver, "/console/queue");
  await open(admin, "/console/queue");
  const sentences = [approver, admin].map((page) =>
    page
      .getByRole("row")
      .filter({ hasText: merchant })
      .getByText(/^Passed on to/),
  );
  for (const sentence of sentences) await expect(sentence).toHaveText(/^Passed on to .+, .+/, { timeout: 60_000 });
  const passed = await Promise.all(sentences.map((sentence) => sentence.innerText()));
  // It is one person, for everybody.
  expect(passed.filter((text) => text.startsWith("Passed on to you")).length).toBeLessThanOrEqual(1);
});

test("a browser that asks for French gets it before and after the sign-in, with its amounts, until the person chooses English", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ locale: "fr-FR" })).newPage();
  await page.goto(`${BASE_URL}/console/sign-in`);
  const { email, password } = sandbox.users.admin;
  await page.getByLabel("Adresse e-mail").fill(email);
  await page.getByLabel("Mot de passe").fill(password);
  await page.getByRole("button", { name: "Se connecter", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Vue d’ensemble");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await page.goto(`${BASE_URL}/console/settlements`);
  await expect(page).toHaveTitle(/Règlements/);
  // A narrow no-break space between groups, and a comma before decimals.
  await expect(page.locator("main")).toContainText(/\d\u202f?\d*,\d\d/);
  await page.goto(`${BASE_URL}/console/account`);
  await page.getByRole("group", { name: "Langue" }).getByLabel("English").click();
  await expect(page.getByRole("group", { name: "Language" }).getByLabel("English")).toBeChecked();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test("a partner sees its month, and each row of its own file that differs", async ({ browser }) => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  const { executed_at, external_tx_id } = await ended(tx_id);
  const page = await browserOf(browser, "owner");
  await open(page, `/console/statements?month=${executed_at?.slice(0, 7)}`);
  await expect(page.getByRole("region", { name: "By day and pair", exact: true })).toContainText("Same as the ledger");
  const own = page.getByRole("region", { name: "Compare your own file" });
  const file = (text: string) => ({ name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await own.getByLabel("Your file").setInputFiles(file(`reference,amount,currency\nnot-ours,10.00,KES\n${external_tx_id},0.01,KES\n`));
  await expect(own.getByRole("row").filter({ hasText: String(external_tx_id) })).toContainText("Another amount");
  await expect(own.getByRole("row").filter({ hasText: "not-ours" })).toContainText("Not known here");
  // A long file goes in parts, says how far it is, and can be ended.
  const long = `reference,amount,currency\n${Array.from({ length: 1_600 }, (_, n) => `line-${n},1.00,KES`).join("\n")}\n`;
  let isSlow = true;
  await page.route(/statements\.named/, async (route) => {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await own.getByLabel("Your file").setInputFiles(file(long));
  await expect(own.getByRole("progressbar", { name: /of 1,6\d\d rows/ })).toBeVisible();
  await own.getByRole("button", { name: "Cancel" }).click();
  await expect(own.getByRole("progressbar")).toHaveCount(0);
  isSlow = false;
  await expect(own.getByLabel("Your file")).toBeEnabled({ timeout: 15_000 });
  await own.getByLabel("Your file").setInputFiles(file(long));
  await expect(own).toContainText(/1,600 rows were compared/, { timeout: 30_000 });
  await own.getByLabel("Your file").setInputFiles(file("reference,amount,currency\nnot-ours,ten,KES\n"));
  await expect(own).toContainText("The amount in row 1 is not a plain decimal");
});
