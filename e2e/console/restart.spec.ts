import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { approveSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { read } from "../support/answers.ts";
import { headerOf, livePill } from "../support/console.ts";
import { operatorClient, partnerClient } from "../support/patient.ts";
import { quote } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** The service goes away under an open page. */

let directory: string;
let own: OwnSandbox | null = null;

test.beforeEach(() => {
  directory = newDirectory();
});
test.afterEach(async () => {
  await own?.stop();
  own = null;
  removeDirectory(directory);
});

test("a lost connection shows within three seconds and heals, and what was missed appears without a reload", async ({ page }) => {
  test.setTimeout(600_000);
  own = await startSandbox(directory);
  const sandbox = readSandboxFile(own.file);
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const operator = operatorClient(sandbox.base_url, sandbox.operator);
  const { tx_id } = await quote({ source_amount: 250_000_000, chain: sandbox.chains[0].chain }, partner);
  await page.goto(`${sandbox.base_url}/console/sign-in?next=/console/settlements/${tx_id}`);
  await page.getByLabel("E-mail address").fill(sandbox.users.viewer.email);
  await page.getByLabel("Password").fill(sandbox.users.viewer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const pill = livePill(page);
  await expect(pill).toHaveText("Live");
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  // As one process ends and the next begins, so that nothing answers for a while.
  process.kill(webProcess(), "SIGKILL");
  await expect(pill).toHaveText("Reconnecting…");
  await expect
    .poll(
      async () =>
        await fetch(`${sandbox.base_url}/health`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200);
  read(approveSettlementOperation, await operator.call("POST", `/admins/settlements/${tx_id}/approve`, {}));
  await expect(headerOf(page).getByText("Approved", { exact: true })).toBeVisible();
  await expect(pill).toHaveText("Live");
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

/** Its log names the process. */
function webProcess(): number {
  const found = [...readFileSync(join(directory, "logs", "web.log"), "utf8").matchAll(/"pid":(\d+)/g)].at(-1)?.[1];
  return Number(found ?? 0);
}
