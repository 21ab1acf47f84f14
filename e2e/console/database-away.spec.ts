import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectNoSidewaysScroll, faultsInBothThemes } from "../support/accessibility.ts";
import { livePill } from "../support/console.ts";
import { databaseProcesses, freeze, thaw } from "../support/freeze.ts";
import { directory, sandbox } from "../support/running-sandbox.ts";

/** The database freezes under open pages: the console stays, says why, and recovers by itself. */

/**
 * The cause should show within eight seconds, the page within five of the end; the test machine may be slower, and this does not measure.
 */
const PATIENT = { timeout: 45_000 };

test.afterEach(() => thaw());

async function signedIn(
  browser: Browser,
  role: "admin" | "owner" | "staff",
  path: string,
  viewport = { width: 1280, height: 800 },
): Promise<Page> {
  const page = await (await browser.newContext({ viewport, colorScheme: "dark" })).newPage();
  await page.goto(`${sandbox.base_url}/console/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel("E-mail address").fill(sandbox.users[role].email);
  await page.getByLabel("Password").fill(sandbox.users[role].password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(livePill(page)).toHaveText("Live", PATIENT);
  return page;
}

const rail = (page: Page) => page.getByRole("navigation", { name: "Sections" });
const line = (page: Page) => page.getByRole("status").filter({ has: page.locator("strong") });
const trouble = (page: Page) => page.getByRole("main").getByRole("alert").filter({ hasText: "This page cannot be shown right now" });

/** The requested page is missing, but the console is there, with the cause, a retry button and the request id. */
async function expectTrouble(page: Page, path: string): Promise<void> {
  await expect(page, path).toHaveURL(new RegExp(`${path}$`), PATIENT);
  await expect(trouble(page), path).toContainText("database does not answer", PATIENT);
  await expect(trouble(page), path).toContainText(/Request req_/);
  await expect(trouble(page).getByRole("button", { name: "Retry" }), path).toBeVisible();
  await expectFrame(page, path);
}

async function expectFrame(page: Page, what: string): Promise<void> {
  await expect(rail(page), what).toBeVisible();
  await expect(line(page), what).toBeVisible(PATIENT);
}

const ROLES = ["admin", "owner", "staff"] as const;

test("while the database is away every link of the rail keeps the console around it, and comes by itself afterwards, for each role", async ({
  browser,
}) => {
  test.setTimeout(420_000);
  const pages: Page[] = [];
  for (const role of ROLES) pages.push(await signedIn(browser, role, "/console/account"));
  const faults: string[] = [];
  for (const page of pages) page.on("pageerror", (error) => faults.push(error.message));
  freeze(databaseProcesses(directory));
  await Promise.all(pages.map(visitEveryLink));
  thaw();
  await Promise.all(pages.map(expectRecovery));
  expect(faults).toEqual([]);
  for (const page of pages) await page.context().close();
});

async function visitEveryLink(page: Page): Promise<void> {
  const links = await rail(page)
    .getByRole("link")
    .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
  expect(links.length).toBeGreaterThan(3);
  await expect(line(page)).toBeVisible(PATIENT);
  for (const href of links.filter((each) => each !== "/console/account")) {
    await rail(page).locator(`a[href="${href}"]`).click();
    await expectTrouble(page, href);
  }
  expect(await faultsInBothThemes(page)).toEqual([]);
  // A retry first checks that the service answers, and removes nothing while it does not.
  await trouble(page).getByRole("button", { name: "Retry" }).click();
  await expect(trouble(page)).toContainText(/Asked again at .*: still no answer/, PATIENT);
  await expectFrame(page, "after another try");
}

async function expectRecovery(page: Page): Promise<void> {
  await expect(trouble(page)).toHaveCount(0, PATIENT);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(line(page)).toHaveCount(0, PATIENT);
}

test("nor do Back, a link within the page, the palette, or a phone's bar leave the console", async ({ browser }) => {
  test.setTimeout(420_000);
  const page = await signedIn(browser, "admin", "/console/settings");
  await rail(page).getByRole("link", { name: "Partners" }).click();
  await expect(page.getByRole("link", { name: "Demo Partner" }).first()).toBeVisible(PATIENT);
  const phone = await signedIn(browser, "admin", "/console", { width: 390, height: 844 });
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox")).toBeFocused(PATIENT);
  await page.keyboard.press("Escape");
  freeze(databaseProcesses(directory));
  await expect(line(page)).toBeVisible(PATIENT);
  await page.getByRole("link", { name: "Demo Partner" }).first().click();
  await expectTrouble(page, "/console/partners/[0-9a-f-]+");
  await page.goBack();
  await expect(page).toHaveURL(/partners$/);
  await expectFrame(page, "after Back");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("Treasury");
  await page.keyboard.press("Enter");
  await expectTrouble(page, "/console/treasury");
  await rail(phone).getByRole("link", { name: "Settlements" }).click();
  await expectTrouble(phone, "/console/settlements");
  await expectNoSidewaysScroll(phone, "the phone");
  thaw();
  await expect(page.getByRole("heading", { level: 1, name: "Treasury" })).toBeVisible(PATIENT);
  await expect(phone.getByRole("heading", { level: 1, name: "Settlements" })).toBeVisible(PATIENT);
  for (const each of [page, phone]) await each.context().close();
});

test("the runbook that the line names opens while the database is away, for anyone who has its address", async ({ browser }) => {
  test.setTimeout(240_000);
  const page = await signedIn(browser, "admin", "/console/settlements");
  freeze(databaseProcesses(directory));
  const opened = page.waitForEvent("popup");
  await line(page).getByRole("link", { name: "database-away" }).click(PATIENT);
  const runbook = await opened;
  await expect(runbook.getByRole("heading", { level: 1 })).toHaveText(/database/i, PATIENT);
  expect(await faultsInBothThemes(runbook)).toEqual([]);
  await runbook.getByRole("link", { name: "All runbooks" }).click();
  await expect(runbook.getByRole("heading", { level: 1, name: "Runbooks" })).toBeVisible(PATIENT);
  await expectNoSidewaysScroll(runbook, "the runbook");
  await page.context().close();
});
