import { expect, test } from "@playwright/test";
import { verifyCallback } from "#sdk/typescript/src/index.ts";
import { change } from "../support/calls.ts";
import { browserOf, open, watch } from "../support/console.ts";
import { receiverThat } from "../support/receiver.ts";
import { sandbox } from "../support/running-sandbox.ts";

/** The certifier's part for receivers, as a partner's owner uses it in the console. */

test("an owner learns what a receiver believes, mends it, and sees it pass", async ({ browser }) => {
  const endpoint = await receiverThat((response) => response.writeHead(200).end("{}"));
  const page = await browserOf(browser, "owner");
  const troubles = watch(page);
  await open(page, "/console/developers/callback-tester");
  await page.getByRole("link", { name: "Check receiver" }).click();
  await page.waitForURL("**/console/developers/receiver-check");
  const url = page.getByLabel("Receiver", { exact: true });
  const check = page.getByRole("button", { name: "Check receiver" });
  await url.fill("http://10.0.0.1/inside");
  await check.click();
  await expect(page.locator("main").getByRole("alert")).toContainText("must not reach");
  await expect(url).toBeFocused();

  await url.fill(endpoint.url);
  await check.click();
  const result = page.getByRole("region", { name: "Result" });
  const failed = result.getByRole("list", { name: "Not passed", exact: true }).getByRole("listitem");
  await expect(failed.filter({ hasText: "Refuses an unsigned callback" })).toContainText("the forged callback was accepted");
  await expect(failed).toHaveCount(10);
  await expect(page.locator("main").getByRole("status").filter({ hasText: "checks passed" })).toHaveText(/^\d+ of 31 checks passed\.$/);

  endpoint.answer = (response) => {
    const { headers, body } = endpoint.requests.at(-1) ?? { headers: {}, body: "" };
    void verifyCallback({ headers, body }, { callbackSecret: sandbox.partner.callback_secret }).then(
      () => response.writeHead(200).end("{}"),
      () => response.writeHead(400).end(),
    );
  };
  await check.click();
  await expect(page.locator("main").getByRole("status").filter({ hasText: "checks passed" })).toHaveText("All 31 checks passed.");
  await expect(failed).toHaveCount(0);
  await open(page, "/console/audit");
  await expect(page.getByText(`sent good and bad samples to ${new URL(endpoint.url).host}`).first()).toBeVisible();
  expect(troubles).toEqual([]);
  await page.context().close();
  await endpoint.close();
});

test("there is no receiver check for a partner's staff or the operator's people", async ({ browser }) => {
  for (const role of ["staff", "admin"] as const) {
    const page = await browserOf(browser, role);
    await open(page, "/console");
    expect((await change(page, "developers.certifyReceiver", { url: "http://127.0.0.1:9/" })).status).toBe(404);
    await page.context().close();
  }
});
