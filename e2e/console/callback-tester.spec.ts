import { expect, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { change } from "../support/calls.ts";
import { browserOf, open, watch } from "../support/console.ts";
import { receiverThat } from "../support/receiver.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";

/** A sample callback, as a partner's developer tries a receiver with it. */

const PATH = "/console/developers/callback-tester";

test("an owner sends a sample, sees all that went and came, mends the receiver, and sends another", async ({ browser }) => {
  const endpoint = await receiverThat((response) => response.writeHead(500, { "x-tried": "yes" }).end('{"why":"not yet"}'));
  const page = await browserOf(browser, "owner", { permissions: ["clipboard-read", "clipboard-write"] });
  const troubles = watch(page);
  await open(page, "/console");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("button", { name: "More" }).click();
  await page.getByRole("link", { name: "Callback tester" }).click();
  await page.waitForURL(`**${PATH}`);
  await page.getByLabel("Kind").selectOption("settlement.failed");
  const url = page.getByLabel("Send to");
  const send = page.getByRole("button", { name: "Send sample" });
  await url.fill("http://10.0.0.1/inside");
  await send.click();
  await expect(page.locator("main").getByRole("alert")).toContainText("must not reach");
  await expect(url).toBeFocused();

  await url.fill(endpoint.url);
  await send.click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByText("500", { exact: true })).toBeVisible();
  await expect(result).toContainText("500, not a 2xx");
  const [sent] = endpoint.requests;
  const id = String(sent?.headers["webhook-id"]);
  expect(id).toMatch(/^cb_0{10}/);
  await expect(result).toContainText(id);
  const request = result.getByRole("region", { name: "Request", exact: true });
  await expect(request.getByLabel("Request headers")).toContainText(String(sent?.headers["webhook-signature"]));
  await request.getByRole("button", { name: "Raw" }).click();
  expect(Buffer.from(await request.locator("code").innerText())).toEqual(sent?.body);
  await request.getByRole("button", { name: "Copy as cURL" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`webhook-id: ${id}`);
  await expect(result.getByRole("region", { name: "Response", exact: true }).getByLabel("Response headers")).toContainText("x-tried");

  const held: (() => void)[] = [];
  endpoint.answer = (response) => held.push(() => response.end('{"received":true}'));
  await page.getByLabel("Kind").selectOption("topup.completed");
  await send.click();
  await expect.poll(() => held.length).toBe(1);
  await expect(send).toBeDisabled();
  await expect(page.getByRole("progressbar", { name: /30 seconds/ })).toBeVisible();
  for (const answer of held) answer();
  await expect(page.locator("main").getByRole("status").filter({ hasText: "200" })).toHaveText("200: Your receiver accepted it.");
  await expect(result.getByText("200", { exact: true })).toBeVisible();
  const last = endpoint.requests.at(-1);
  expect(endpoint.requests).toHaveLength(2);
  const headers = Object.fromEntries(Object.entries(last?.headers ?? {}).map(([name, value]) => [name, String(value)]));
  const delivered = new Webhook(sandbox.partner.callback_secret).verify(last?.body ?? "", headers);
  expect(delivered).toMatchObject({ event: "topup.completed", id: expect.stringMatching(/^tu_0{10}/), callback_url: endpoint.url });

  await open(page, "/console/audit");
  await expect(page.getByText(`sent a sample callback to ${new URL(endpoint.url).host}`).first()).toBeVisible();
  await open(page, "/console/callbacks?tab=all");
  await expect(page.locator("main")).not.toContainText(id);
  expect(troubles).toEqual([]);
  await page.context().close();
  await endpoint.close();
});

test("there is no callback tester for a partner's staff or the operator's people", async ({ browser }) => {
  for (const role of ["staff", "admin"] as const) {
    const page = await browserOf(browser, role);
    await open(page, "/console");
    await page.getByRole("navigation", { name: "Sections" }).getByRole("button", { name: "More" }).click();
    await expect(page.getByRole("link", { name: "Account" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Callback tester" })).toHaveCount(0);
    await page.goto(BASE_URL + PATH);
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Callback tester");
    const input = { event: "settlement.executed", url: "http://127.0.0.1:9/" };
    expect((await change(page, "developers.testCallback", input)).status).toBe(404);
    await page.context().close();
  }
});
