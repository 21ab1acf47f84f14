import { randomBytes } from "node:crypto";
import { expect, test } from "@playwright/test";
import { z } from "zod";
import { faultsOf } from "../support/accessibility.ts";
import { browserOf, headerOf, open, proveIfAsked } from "../support/console.ts";
import { operatorClient } from "../support/patient.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, quote } from "../support/settlements.ts";

/** Partners: made, changed and stopped by an admin who proves again to be one. */

const operator = operatorClient(BASE_URL, sandbox.operator);
const partnerAnswer = z.object({ id: z.uuid(), name: z.string() });

async function newPartner(): Promise<z.infer<typeof partnerAnswer>> {
  const slug = `story-${randomBytes(5).toString("hex")}`;
  const answer = await operator.call("POST", "/partners", { name: `Story ${slug}`, slug, roles: ["AGGREGATOR"], charge_fee_percentage: 1 });
  expect(answer.status, answer.text).toBe(201);
  return partnerAnswer.parse(JSON.parse(answer.text));
}

test("a partner is made in one form, its slug judged while one types, and its first key shown the one time", async ({ browser }) => {
  const page = await browserOf(browser, "admin");
  await open(page, "/console/partners/new");
  await page.getByLabel("Name").fill("Demo");
  await expect(page.getByLabel("Slug")).toHaveValue("demo");
  await expect(page.getByText("Another partner already has this slug")).toBeVisible();
  const name = `Café ${randomBytes(5).toString("hex")}`;
  await page.getByLabel("Name").fill(name);
  await expect(page.getByLabel("Slug")).toHaveValue(name.toLowerCase().replace("café ", "cafe-"));
  await expect(page.getByText("Free", { exact: true })).toBeVisible();
  await page.getByLabel("Wallet address").fill("0x1234");
  await expect(page.getByRole("button", { name: "Create partner" })).toBeDisabled();
  await page.getByLabel("Wallet address").fill("");
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Create partner" }).click();
  const once = page.getByRole("dialog").filter({ hasText: `First key of ${name}` });
  await proveIfAsked(page, "admin", once);
  const secret = (await once.getByText(/^sec_test_/).textContent()) ?? "";
  expect(secret).toMatch(/^sec_test_/);
  await once.getByLabel("I have stored it").check();
  await once.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  expect(await page.content()).not.toContain(secret);
  await page.getByRole("tab", { name: /^Audit/ }).click();
  await expect(page.getByRole("table").getByRole("row").filter({ hasText: "created the partner" })).toBeVisible();
  await page.context().close();
});

test("a fee is changed with its difference and a reason; the slower person sees that and overwrites nothing", async ({ browser }) => {
  const partner = await newPartner();
  const page = await browserOf(browser, "admin");
  await open(page, `/console/partners/${partner.id}`);
  await page.getByRole("button", { name: "Change fee" }).click();
  const dialog = page.getByRole("dialog").filter({ hasText: `Fee of ${partner.name}` });
  await dialog.getByLabel("New fee in percent").fill("2.5");
  await expect(dialog).toContainText("1 % → 2.5 %");
  await dialog.getByLabel("Reason").fill("Agreed by letter");
  // Somebody else is faster, by the API.
  expect((await operator.call("PUT", `/partners/${partner.id}/charge-fee`, { charge_fee_percentage: 3 })).status).toBe(200);
  await dialog.getByRole("button", { name: "Change fee" }).click();
  await proveIfAsked(page, "admin", dialog.getByRole("alert"));
  await expect(dialog.getByRole("alert")).toContainText("it is 3 % now");
  await dialog.getByRole("button", { name: "Continue from 3 %" }).click();
  await dialog.getByRole("button", { name: "Change fee" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("tabpanel")).toContainText("2.5 %");
  await page.getByRole("tab", { name: /^Audit/ }).click();
  const entries = page.getByRole("table").getByRole("row").filter({ hasText: "changed the fee" });
  await expect(entries.first()).toContainText("from 3 % to 2.5 %");
  await expect(entries.first()).toContainText("Agreed by letter");
  await page.context().close();
});

test("a partner is suspended by typing its name: its key is refused at once, and let in again", async ({ browser }) => {
  const partner = await newPartner();
  const issued = await operator.call("POST", "/partners/api-keys", { partner_id: partner.id, name: "Story" });
  const { api_key } = z.object({ api_key: z.string() }).parse(JSON.parse(issued.text));
  const asNew = operatorClient(BASE_URL, { api_key });
  expect((await asNew.call("GET", "/partners/current")).status).toBe(200);
  const page = await browserOf(browser, "admin");
  await open(page, `/console/partners/${partner.id}`);
  await page.getByRole("button", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog").filter({ hasText: `Suspend ${partner.name}` });
  await expect(dialog).toContainText("In the last 30 days this would have stopped no payment.");
  await dialog.getByLabel("Reason").fill("Asked for by the partner");
  await expect(dialog.getByRole("button", { name: "Suspend partner" })).toBeDisabled();
  await dialog.getByLabel(`Type “${partner.name}” to confirm`).fill(partner.name);
  await dialog.getByRole("button", { name: "Suspend partner" }).click();
  await proveIfAsked(page, "admin", page.getByText("Suspended", { exact: true }));
  await expect(headerOf(page)).toContainText("Suspended");
  expect((await asNew.call("GET", "/partners/current")).status).toBe(403);
  await page.getByRole("button", { name: "Reactivate" }).click();
  await page.getByLabel("Reason").fill("Asked for by the partner");
  await page.getByRole("dialog").getByRole("button", { name: "Reactivate" }).click();
  await expect(headerOf(page)).toContainText("Active");
  expect((await asNew.call("GET", "/partners/current")).status).toBe(200);
  await page.context().close();
});

test("partners are found by name; a viewer may look and is offered no change; for a partner's people there is no such page", async ({
  browser,
}) => {
  const partner = await newPartner();
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/partners?q=${encodeURIComponent(partner.name)}`);
  const row = page.getByRole("table").getByRole("row").filter({ hasText: partner.name });
  await expect(row).toContainText("Active");
  await expect(page.getByRole("link", { name: "New partner" })).toHaveCount(0);
  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(partner.name);
  await expect(page.getByRole("button", { name: /Suspend|Change fee/ })).toHaveCount(0);
  const post = (path: string, body: object) =>
    page.request.post(`${BASE_URL}/api/trpc/${path}`, { data: body, headers: { origin: BASE_URL } });
  const change = { partner_id: partner.id, status: "suspended", reason: "not mine to do" };
  expect((await post("partners.setStatus", change)).status()).toBe(403);
  await page.context().close();
  const staff = await browserOf(browser, "staff");
  for (const path of ["/console/partners", "/console/partners/new", `/console/partners/${sandbox.partner.id}`, "/console/treasury"]) {
    expect((await staff.goto(BASE_URL + path))?.status(), path).toBe(404);
  }
  const asked = await staff.request.get(
    `${BASE_URL}/api/trpc/partners.byId?input=${encodeURIComponent(JSON.stringify({ partner_id: sandbox.partner.id }))}`,
  );
  expect(asked.status()).toBe(404);
  await staff.context().close();
});

test("a long name is cut in its own column, and no list hides a column at 1280 pixels", async ({ browser }) => {
  const name = `Cooperative ${"of merchants and wholesalers ".repeat(3)}${randomBytes(3).toString("hex")}`;
  const body = { name, slug: `story-${randomBytes(5).toString("hex")}`, roles: ["AGGREGATOR"], charge_fee_percentage: 1 };
  expect((await operator.call("POST", "/partners", body)).status).toBe(201);
  // The widest that a row can be: eleven digits before the point, awaiting approval, and one with a callback on its way.
  await quote({ source_amount: 999_999_999_999, external_merchant_id: `merchant-${"0".repeat(40)}` });
  await confirm((await quote({ source_amount: 1_000_000 })).tx_id);
  const page = await browserOf(browser, "admin", { viewport: { width: 1280, height: 800 } });
  for (const path of ["/console/partners", "/console/settlements", "/console/queue"]) {
    await open(page, path);
    const table = page
      .getByRole("region")
      .filter({ has: page.getByRole("table") })
      .last();
    await expect(table.getByRole("row").nth(1)).toBeVisible();
    const hidden = await table.evaluate((shown) => shown.scrollWidth - shown.clientWidth);
    expect(hidden, `${path} hides ${hidden} pixels of its columns`).toBeLessThanOrEqual(0);
  }
  await page.context().close();
});
