import { expect, type Locator, type Page, test } from "@playwright/test";
import { livePill } from "../support/console.ts";
import { chainProcess, databaseProcesses, freeze, processOf, thaw } from "../support/freeze.ts";
import { partnerClient } from "../support/patient.ts";
import { directory, sandbox } from "../support/running-sandbox.ts";
import { confirm, quote } from "../support/settlements.ts";

/** Parts of the service freeze under open pages: each says so, since when, and it is gone when it is over. */

/** The line should show within ten seconds; the test machine may be slower, and this does not measure. */
const PATIENT = { timeout: 45_000 };

test.afterEach(() => thaw());

async function signedIn(page: Page, role: "admin" | "owner", path: string): Promise<{ line: Locator; pill: Locator }> {
  await page.goto(`${sandbox.base_url}/console/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel("E-mail address").fill(sandbox.users[role].email);
  await page.getByLabel("Password").fill(sandbox.users[role].password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const pill = livePill(page);
  await expect(pill).toHaveText("Live", PATIENT);
  return { line: page.locator("[role=status] > p").filter({ has: page.locator("strong") }), pill };
}

test("a frozen worker, database or web process is one line on every page, in words for who reads it, until it is over", async ({
  page,
  browser,
}) => {
  test.setTimeout(420_000);
  const admin = await signedIn(page, "admin", "/console/settlements");
  const other = await (await browser.newContext()).newPage();
  const partner = await signedIn(other, "owner", "/console/settlements");
  await expect(admin.line).toHaveCount(0, PATIENT);

  freeze([processOf(directory, "worker")]);
  await expect(admin.line).toContainText(
    /No worker is running: nothing is paid or called back, since .* UTC, runbook worker-down/,
    PATIENT,
  );
  // The chain itself continues: nobody reads it, and that is all that is known.
  await expect(admin.line).not.toContainText(/chain/i);
  await expect(partner.line).toContainText(/Payments and callbacks are delayed.*since .* UTC/, PATIENT);
  await expect(partner.line).not.toContainText(/worker|runbook/);
  const overview = await page.context().newPage();
  await overview.goto(new URL("/console", page.url()).href);
  const parts = overview.getByRole("list", { name: "Health" });
  await expect(parts.getByRole("link", { name: /^Worker/ })).toContainText("none is running", PATIENT);
  await expect(parts.getByRole("link", { name: /^Chain/ })).toContainText("not known", PATIENT);
  await expect(admin.pill).toHaveText("Live");
  const incident = await page.context().newPage();
  await incident.goto(new URL("/console/rates", page.url()).href);
  const fromTheLine = (of: Page) => of.getByRole("status").getByRole("link", { name: /^No worker is running/ });
  await fromTheLine(incident).click();
  await incident.getByRole("button", { name: /^Work on: No worker is running/ }).click();
  await expect(incident.getByRole("heading", { level: 1 })).toHaveText(/^No worker is running/, PATIENT);
  // One page for the trouble: the line leads everybody to it.
  const colleague = await page.context().newPage();
  await colleague.goto(new URL("/console/rates", page.url()).href);
  await fromTheLine(colleague).click();
  await expect(colleague).toHaveURL(incident.url(), PATIENT);
  await colleague.close();
  await incident.getByRole("checkbox").first().click();
  const timeline = incident.getByRole("list", { name: "Timeline" });
  await expect(timeline).toContainText("has done a step");
  await incident.getByLabel("Note").fill("It was frozen on purpose.");
  await incident.getByRole("button", { name: "Add the note" }).click();
  await expect(timeline).toContainText("noted It was frozen on purpose.");
  // A note that is published is on every page of partners and on the status page, at once and without a reload.
  await incident.getByLabel("Publish it").selectOption("Payments, withdrawals, top-ups, callbacks and events wait.", PATIENT);
  await incident.getByLabel("Note").fill("We restart the workers.");
  await incident.getByRole("button", { name: "Publish the note" }).click();
  await expect(timeline).toContainText("published a note We restart the workers.");
  await expect(partner.line).toContainText("We restart the workers.", PATIENT);
  const status = await page.context().newPage();
  await expect(async () => {
    await status.goto(new URL("/status", page.url()).href);
    await expect(status.getByText("We restart the workers.")).toBeVisible({ timeout: 500 });
  }).toPass(PATIENT);
  await status.close();
  // Who opens a page meanwhile finds the line in what the server draws: it pushes nothing down afterwards.
  expect(await (await page.request.get(page.url())).text()).toContain("No worker is running: nothing is paid or called back");
  thaw([processOf(directory, "worker")]);
  await expect(parts.getByRole("link", { name: /^Chain/ })).toContainText("producing blocks", PATIENT);
  await incident.getByRole("button", { name: "End the incident" }).click();
  await incident.getByRole("dialog").getByRole("button", { name: "End the incident" }).click();
  await expect(timeline).toContainText("ended the incident");
  for (const { line } of [admin, partner]) await expect(line).toHaveCount(0, PATIENT);

  freeze(databaseProcesses(directory));
  await expect(admin.line).toContainText(/The database does not answer, since .* UTC, runbook database-away/, PATIENT);
  await expect(partner.line).toContainText("The service has trouble answering, and this page may be out of date", PATIENT);
  // Earlier values do not count: no tick stays. Only the line says that it is the database: no part of the service is blamed for it.
  await expect(parts.getByRole("link", { name: /^(Worker|Chain|Callbacks|Rates|Treasury) not known$/ })).toHaveCount(5, PATIENT);
  await expect(overview.getByText(/database does not answer/i)).toHaveCount(1);
  await expect(overview.getByRole("main")).toContainText("Whether payments are going out is not known now.");
  for (const { pill } of [admin, partner]) await expect(pill).toHaveText("Reconnecting…", PATIENT);
  // A page opened meanwhile shows it too, and recovers as soon as it ends.
  const fresh = await page.context().newPage();
  expect((await fresh.goto(new URL("/console/audit", page.url()).href, PATIENT))?.status()).toBe(503);
  await expect(fresh.getByRole("heading", { name: "The service is temporarily unavailable" })).toBeVisible();
  thaw();
  await expect(fresh.getByRole("heading", { name: "Audit log" })).toBeVisible(PATIENT);
  await fresh.close();
  for (const { line } of [admin, partner]) await expect(line).toHaveCount(0, PATIENT);
  await expect(admin.pill).toHaveText("Live", PATIENT);

  freeze([processOf(directory, "web")]);
  await expect(admin.pill).toHaveText("Reconnecting…", PATIENT);
  await expect(admin.line).toContainText(/The service does not answer, and this page may be out of date, since .* UTC/, PATIENT);
  // The worker may still run, but no web process can say so.
  await expect(parts.getByRole("link", { name: /^Worker/ })).toContainText("not known", PATIENT);
  await expect(overview.getByRole("main")).toContainText("Whether payments are going out is not known now.");
  thaw([processOf(directory, "web")]);
  await expect(admin.line).toHaveCount(0, PATIENT);
  await expect(admin.pill).toHaveText("Live", PATIENT);
  await other.context().close();
});

test("a silent chain is one line with its own runbook, whatever waits for it", async ({ page }) => {
  test.setTimeout(240_000);
  const { line } = await signedIn(page, "admin", "/console/settlements");
  await expect(line).toHaveCount(0, PATIENT);
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const { tx_id } = await quote({}, partner);
  const lines: string[] = [];
  freeze([chainProcess(directory)]);
  await confirm(tx_id, {}, partner);
  const watching = setInterval(
    () =>
      void line.innerText({ timeout: 1_000 }).then(
        (text) => lines.push(text),
        () => {},
      ),
    300,
  );
  await expect(line).toHaveText(
    /^A chain has no new blocks: Sandbox chain: no node answers; 1 payment waits, since .* UTC, runbook rpc-dead$/,
    PATIENT,
  );
  clearInterval(watching);
  // No other cause was ever named.
  expect(lines.filter((text) => /treasury|Payments wait|worker/.test(text))).toEqual([]);
  thaw();
  await expect(line).toHaveCount(0, PATIENT);
});
