import { expect, test } from "@playwright/test";
import { browserOf, open } from "../support/console.ts";
import { partnerClient } from "../support/patient.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, quote } from "../support/settlements.ts";

/** The drawer in which a partner's developer sees requests and callbacks as they come, and signs one in the browser. */

test("a request is signed in the browser, and a refused one shows up with its named mistake", async ({ browser }) => {
  const { api_key, api_secret } = sandbox.partner;
  const page = await browserOf(browser, "owner");
  await open(page, "/console");
  await page.keyboard.press("~");
  const bench = page.getByRole("dialog", { name: "Workbench" });
  await bench.getByRole("tab", { name: "Send a request" }).click();
  await bench.getByLabel("API key").fill(api_key);
  await bench.getByLabel("API secret").fill(api_secret);
  await bench.getByRole("button", { name: "Sign and send" }).click();
  const answer = bench.getByRole("region", { name: "Answer" });
  await expect(answer).toContainText(/^200 after/);
  await expect(answer).toContainText("source_currency");
  await bench.getByLabel("API secret").fill(api_key);
  await bench.getByRole("button", { name: "Sign and send" }).click();
  await expect(answer).toContainText(/^401 after/);
  await bench.getByRole("tab", { name: "Requests" }).click();
  const [refused, answered] = [bench.getByRole("listitem").nth(0), bench.getByRole("listitem").nth(1)];
  await expect(refused).toContainText("401");
  await expect(refused).toContainText(/The signature matches if/);
  await expect(answered).toContainText("200");
  // What another program sends comes by itself.
  const wrong = partnerClient(BASE_URL, { api_key, api_secret: api_key });
  expect((await wrong.get("/api/v1/settlements?limit=1")).status).toBe(401);
  await expect(refused).toContainText("GET /api/v1/settlements");
  await expect(refused).toContainText(/401.*The signature matches if/);
  expect(new URL(page.url()).pathname).toBe("/console");
});

test("on a settlement's page it is about that settlement alone", async ({ browser }) => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  const page = await browserOf(browser, "owner");
  await open(page, `/console/settlements/${tx_id}`);
  await page.getByRole("button", { name: "Workbench" }).click();
  const bench = page.getByRole("dialog", { name: "Workbench" });
  await expect(bench).toContainText(`About ${tx_id}`);
  const requests = bench.getByRole("list", { name: "Requests" }).getByRole("listitem");
  await expect(requests.first()).toContainText(tx_id);
  // Only its creation does not name it.
  const unnamed = await requests.filter({ hasNotText: tx_id }).allTextContents();
  expect(unnamed.filter((text) => !text.startsWith("201POST /api/v1/settlements"))).toEqual([]);
  expect(unnamed.length).toBeLessThanOrEqual(1);
  await bench.getByRole("tab", { name: "Callbacks" }).click();
  await expect(bench.getByRole("list", { name: "Callbacks" }).getByRole("listitem").first()).toBeVisible();
});
