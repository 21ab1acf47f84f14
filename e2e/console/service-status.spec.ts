import { expect, type Page, test } from "@playwright/test";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { expectNoSidewaysScroll, faultsInBothThemes, titleOfSound } from "../support/accessibility.ts";
import { databaseProcesses, freeze, processOf, thaw } from "../support/freeze.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** The public status page while parts of the service freeze, for people without any account. */

/** A trouble shows within half a minute; the test machine may be slower, and this does not measure. */
const PATIENT = { timeout: 90_000 };

const directory = newDirectory();
let own: OwnSandbox | null = null;
let base = "";
test.beforeAll(async () => {
  test.setTimeout(240_000);
  own = await startSandbox(directory);
  base = readSandboxFile(own.file).base_url;
});
test.afterEach(() => thaw());
test.afterAll(async () => {
  await own?.stop();
  removeDirectory(directory);
});

type Summary = {
  state: string;
  surfaces: { id: string; state: string; days: { operational_seconds: number; down_seconds: number }[] }[];
  incidents: { id: string; summary: string; ended_at: string | null }[];
};

async function summary(): Promise<Summary> {
  const answer = await fetch(`${base}/status/summary.json`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Summary;
}

/** What today has of a surface. */
async function today(id: string) {
  const surface = (await summary()).surfaces.find((each) => each.id === id);
  return surface?.days.at(-1) ?? { operational_seconds: 0, down_seconds: 0 };
}

/** Opens the page until it says that. */
async function expectToSay(page: Page, text: RegExp): Promise<void> {
  await expect
    .poll(async () => {
      const answer = await page.goto(`${base}/status`);
      return `${answer?.status()} ${await page.getByRole("status").innerText()}`;
    }, PATIENT)
    .toMatch(text);
}

const GOOD = /^200 Operational\. All parts of the service work\.$/;
const part = (page: Page, name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

test("says that all is well, for everybody, with 90 days of each part and no day that nobody has seen in green", async ({ page }) => {
  test.setTimeout(240_000);
  await expectToSay(page, GOOD);
  await expect.poll(async () => (await today("console")).operational_seconds, PATIENT).toBeGreaterThan(0);
  await page.goto(`${base}/status`);
  for (const name of [
    "Settlement API",
    "Partner management",
    "Payments on Sandbox chain",
    "Withdrawals and top-ups",
    "Callbacks and events",
    "Console",
  ]) {
    await expect(part(page, name)).toContainText("Operational");
    // Payments and callbacks were down until the worker had started.
    const strip = page.getByRole("img", { name: new RegExp(`^${name}, day by day: of 90 days .*, 89 without data$`) });
    await expect(strip).toBeVisible();
  }
  await titleOfSound(page, "/status");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await faultsInBothThemes(page), `${width}`).toEqual([]);
    await expectNoSidewaysScroll(page, `${width}`);
  }
});

test("is found from the documentation and from the console's sign-in", async ({ page }) => {
  for (const from of ["/docs", "/console/sign-in"]) {
    await page.goto(base + from);
    await page.getByRole("link", { name: /service status/i }).click();
    await expect(page.getByRole("heading", { name: "Service status", level: 1 })).toBeVisible();
  }
});

test("shows a frozen worker and a frozen database, and afterwards the minutes and the incidents of the day", async ({ page }) => {
  test.setTimeout(600_000);
  await expectToSay(page, GOOD);
  const worker = processOf(directory, "worker");
  const before = (await today("callbacks")).down_seconds;
  freeze([worker]);
  await expectToSay(page, /^200 Down\. Payments, withdrawals, top-ups, callbacks and events wait\.$/);
  await expect(part(page, "Payments on Sandbox chain")).toContainText("Down");
  await expect(part(page, "Settlement API")).toContainText("Operational");
  // Anybody reads it, so it is silent about how the service is built.
  expect(await page.getByRole("main").innerText()).not.toMatch(/worker|heartbeat|runbook|treasury/i);
  const said = "Payments, withdrawals, top-ups, callbacks and events wait.";
  const lasting = async () => (await summary()).incidents.filter(({ ended_at, summary }) => ended_at === null && summary === said).length;
  await expect.poll(lasting, PATIENT).toBe(1);
  // A busy machine leaves gaps between looks, which count as nothing: so the worker stays frozen until enough has counted.
  await expect.poll(async () => (await today("callbacks")).down_seconds, PATIENT).toBeGreaterThanOrEqual(before + 30);
  thaw([worker]);
  await expectToSay(page, GOOD);
  expect((await today("console")).down_seconds).toBe(0);

  freeze(databaseProcesses(directory));
  await expectToSay(page, /^200 Down\. Requests cannot be answered\. Payments, callbacks and events wait\.$/);
  for (const name of ["Settlement API", "Console"]) await expect(part(page, name)).toContainText("Down");
  // The past is there as it was last read, with the first incident, and the page says so once it is old.
  await expect(page.getByRole("heading", { name: said }).first()).toBeVisible();
  await expect
    .poll(async () => {
      await page.goto(`${base}/status`);
      return await page.getByText("The history could not be read just now").count();
    }, PATIENT)
    .toBe(1);
  expect((await fetch(`${base}/status/feed.atom`)).status).toBe(200);
  thaw();
  await expectToSay(page, GOOD);
  // What was seen meanwhile is written now. `status-watch.test.ts` counts exactly.
  await expect.poll(async () => (await today("console")).down_seconds, PATIENT).toBeGreaterThan(0);
  await page.goto(`${base}/status`);
  await part(page, "Console").getByText("1 day with a disruption").click();
  await expect(part(page, "Console").getByText(/: down for \d+ (s|min)$/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Requests cannot be answered. Payments, callbacks and events wait." })).toBeVisible();
  // A minute after its last sight an incident has ended.
  await expect.poll(async () => (await summary()).incidents.every(({ ended_at }) => ended_at !== null), PATIENT).toBe(true);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await faultsInBothThemes(page), `${width}`).toEqual([]);
    await expectNoSidewaysScroll(page, `${width}`);
  }
});
