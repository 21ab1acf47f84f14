import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { livePill } from "../support/console.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** Parts of the service freeze under open pages: each says so, since when, and it is gone when it is over. */

/** The line is promised within ten seconds; the machine of the tests may be slower than that, and it is no measurement. */
const PATIENT = { timeout: 45_000 };

let directory: string;
let own: OwnSandbox | null = null;
const frozen = new Set<number>();

test.beforeEach(() => {
  directory = newDirectory();
});
test.afterEach(async () => {
  thaw([...frozen]);
  await own?.stop();
  own = null;
  removeDirectory(directory);
});

function freeze(pids: readonly number[]): void {
  for (const pid of pids) {
    process.kill(pid, "SIGSTOP");
    frozen.add(pid);
  }
}

function thaw(pids: readonly number[]): void {
  for (const pid of pids) {
    process.kill(pid, "SIGCONT");
    frozen.delete(pid);
  }
}

/** Its log names the process. */
function processOf(part: "web" | "worker"): number {
  return Number([...readFileSync(join(directory, "logs", `${part}.log`), "utf8").matchAll(/"pid":(\d+)/g)].at(-1)?.[1]);
}

/** The server and all that it has started for its connections. */
function databaseProcesses(): number[] {
  const server = Number(readFileSync(join(directory, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").trim().split(/\s+/).map(Number);
  return [server, ...children];
}

async function signedIn(page: Page, role: "admin" | "owner", path: string): Promise<{ line: Locator; pill: Locator }> {
  const sandbox = readSandboxFile(own?.file);
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
  own = await startSandbox(directory);
  const admin = await signedIn(page, "admin", "/console/settlements");
  const other = await (await browser.newContext()).newPage();
  const partner = await signedIn(other, "owner", "/console/settlements");
  await expect(admin.line).toHaveCount(0, PATIENT);

  freeze([processOf("worker")]);
  await expect(admin.line).toContainText(
    /No worker is running: nothing is paid or called back, since .* UTC, runbook worker-down/,
    PATIENT,
  );
  await expect(partner.line).toContainText(/Payments and callbacks are delayed.*since .* UTC/, PATIENT);
  await expect(partner.line).not.toContainText(/worker|runbook/);
  await expect(admin.pill).toHaveText("Live");
  // Who opens a page meanwhile finds the line in what the server draws: it pushes nothing down afterwards.
  expect(await (await page.request.get(page.url())).text()).toContain("No worker is running: nothing is paid or called back");
  thaw([processOf("worker")]);
  for (const { line } of [admin, partner]) await expect(line).toHaveCount(0, PATIENT);

  freeze(databaseProcesses());
  await expect(admin.line).toContainText(/The database does not answer, since .* UTC, runbook database-away/, PATIENT);
  await expect(partner.line).toContainText("The service has trouble answering: what stands here may be old", PATIENT);
  for (const { pill } of [admin, partner]) await expect(pill).toHaveText("Reconnecting…", PATIENT);
  // Who opens a page meanwhile is told as well, and brought there as soon as it goes.
  const fresh = await page.context().newPage();
  expect((await fresh.goto(new URL("/console/audit", page.url()).href, PATIENT))?.status()).toBe(503);
  await expect(fresh.getByRole("heading", { name: "The service is temporarily unavailable" })).toBeVisible();
  thaw([...frozen]);
  await expect(fresh.getByRole("heading", { name: "Audit log" })).toBeVisible(PATIENT);
  await fresh.close();
  for (const { line } of [admin, partner]) await expect(line).toHaveCount(0, PATIENT);
  await expect(admin.pill).toHaveText("Live", PATIENT);

  freeze([processOf("web")]);
  await expect(admin.pill).toHaveText("Reconnecting…", PATIENT);
  await expect(admin.line).toContainText(/The service does not answer: what stands here may be old, since .* UTC/, PATIENT);
  thaw([processOf("web")]);
  await expect(admin.line).toHaveCount(0, PATIENT);
  await expect(admin.pill).toHaveText("Live", PATIENT);
  await other.context().close();
});
