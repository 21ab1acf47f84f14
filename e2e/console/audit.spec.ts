import { readFileSync } from "node:fs";
import { expect, type Route, test } from "@playwright/test";
import { faultsOf } from "../support/accessibility.ts";
import { browserOf, open } from "../support/console.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { quote } from "../support/settlements.ts";

/** The audit log: who did what, sealed by a chain of hashes. */

test("an entry is a plain sentence with its object, opens to what changed, and has its seal within seconds", async ({ browser }) => {
  const { tx_id } = await quote();
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/audit?object=${tx_id}`);
  const row = page.getByRole("row").filter({ hasText: "quoted" });
  await expect(row).toContainText("The partner's key");
  await row.getByRole("button", { name: /^Details/ }).click();
  const drawer = page.getByRole("dialog");
  await expect(drawer).toContainText("settlement.created");
  await expect(drawer.getByRole("row").filter({ hasText: "status" })).toContainText("quoted");
  await page.keyboard.press("Escape");
  await row.getByRole("link").click();
  await page.waitForURL(`${BASE_URL}/console/settlements/${tx_id}**`);
  // By now it is sealed.
  await expect(async () => {
    await open(page, `/console/audit?object=${tx_id}`);
    await page
      .getByRole("button", { name: /^Details/ })
      .last()
      .click();
    await expect(page.getByRole("dialog")).toContainText(/#\d/, { timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  await page.context().close();
});

test("the whole chain is computed again on demand, and says up to which entry it holds", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  await open(page, "/console/audit");
  const line = page.getByRole("region", { name: "Chain of seals" });
  // A long one says how far it has come, and can be ended.
  const held: Route[] = [];
  await page.route(/audit\.verify/, (route) => void held.push(route));
  const verify = line.getByRole("button", { name: "Verify now" });
  await verify.click();
  await expect(line.getByRole("progressbar", { name: /^0 of [\d,]+ entries$/ })).toBeVisible();
  await line.getByRole("button", { name: "Cancel" }).click();
  await expect(line.getByRole("progressbar")).toHaveCount(0);
  await page.unroute(/audit\.verify/);
  for (const route of held) await route.abort().catch(() => {});
  await verify.click();
  await expect(line).toContainText(/Verified to #[\d,]+, .* by /);
  await expect(line).not.toHaveAttribute("data-broken", /./);
  await page.context().close();
});

test("filters are in the address and in words, and one click clears them; the file has what the list has", async ({ browser }) => {
  const { tx_id } = await quote();
  const page = await browserOf(browser, "approver");
  await open(page, "/console/audit");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Object").fill(tx_id);
  await page.getByLabel("Who").selectOption("keys");
  await page.getByRole("button", { name: "Show entries" }).click();
  await expect(page).toHaveURL(new RegExp(`object=${tx_id}`));
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  expect(text.trim().split("\r\n")).toHaveLength(2);
  expect(text).toContain(tx_id);
  await page.getByRole("button", { name: "Remove the filter All keys" }).click();
  await expect(page).not.toHaveURL(/actor=/);
  await page.context().close();
});

test("a partner's people see only their own partner's entries, by list, object, file and chain alike", async ({ browser }) => {
  const { tx_id } = await quote();
  const rival = sandbox.second_partner.id;
  const page = await browserOf(browser, "staff");
  await open(page, `/console/audit?object=${tx_id}`);
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("region", { name: "Chain of seals" })).toHaveCount(0);
  await open(page, `/console/audit?object=${rival}&partner=${rival}`);
  await expect(page.getByText("No match")).toBeVisible();
  const call = (path: string, input: object) =>
    page.request.get(`${BASE_URL}/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
  expect(await (await call("audit.ofObject", { object_id: rival })).json()).toMatchObject({ result: { data: { data: [] } } });
  expect((await call("audit.state", {})).status()).toBe(404);
  const file = await page.request.get(
    `${BASE_URL}/console/audit/export?input=${encodeURIComponent(JSON.stringify({ object: rival, partner_id: rival }))}`,
  );
  expect((await file.text()).trim().split("\r\n")).toHaveLength(1);
  await page.context().close();
});

test("the log and its drawer are accessible", async ({ browser }) => {
  const page = await browserOf(browser, "viewer", { colorScheme: "dark" });
  await open(page, "/console/audit");
  await page
    .getByRole("button", { name: /^Details/ })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await page.context().close();
});
