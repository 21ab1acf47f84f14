import { type Browser, expect, test } from "@playwright/test";
import { withdrawFiatOperation, withdrawFiatStatusOperation } from "#contract/partner/fiat-operations.ts";
import { read } from "../support/answers.ts";
import { advanceClock, HOUR } from "../support/clock.ts";
import { browserOf, headerOf, open, proveIfAsked } from "../support/console.ts";
import { asPartner, freshName } from "../support/partner-surface.ts";
import { chain } from "../support/running-sandbox.ts";
import { until } from "../support/settlements.ts";

/** docs/runbooks/fiat-provider.md, "Unclear": a payout that the provider accepted and then does not know, up to the admin's decision. */

const WITHDRAW = "/partners/transactions/withdraw-fiat";
const PATIENCE_MS = 45_000;

/** A withdrawal whose payout the provider has accepted, and then does not know when it is asked after an hour. */
async function withdrawUnclear(): Promise<string> {
  const destination = { type: "mobile_money", account: "+254700999911", name: "Wanjiru" };
  const order = { external_id: freshName("order"), amount: 45_600, currency: "KES", source_currency: "USDT", chain: chain.chain };
  const { id } = read(withdrawFiatOperation, await asPartner.call("POST", WITHDRAW, { ...order, destination }));
  await until(
    () => statusOf(id),
    ({ status, provider_reference: reference }) => status === "processing" && reference !== null,
  );
  await advanceClock(HOUR + 1);
  return id;
}

const statusOf = async (id: string) => read(withdrawFiatStatusOperation, await asPartner.call("GET", `${WITHDRAW}/${id}`));

/** From the overview to the order, as an admin who was called in. */
async function findIt(browser: Browser, id: string) {
  const page = await browserOf(browser, "admin");
  await open(page, "/console");
  await expect(
    page
      .getByRole("main")
      .getByText(/unclear at the provider/i)
      .first(),
  ).toBeVisible({ timeout: PATIENCE_MS });
  await open(page, "/console/fiat");
  const unclear = page.getByRole("region", { name: "For an operator: unclear or paid late" });
  await expect(unclear).toContainText("The provider had taken it, and now says that it does not know it.");
  await unclear
    .getByRole("listitem")
    .filter({ hasText: id.slice(-6) })
    .getByRole("link")
    .first()
    .click();
  await page.waitForURL(new RegExp(id));
  await expect(page.getByRole("region", { name: "Messages of the provider", exact: true })).toBeVisible();
  return page;
}

for (const { choice, becomes, status } of [
  { choice: "It paid out", becomes: /Completed/, status: "completed" },
  { choice: "It did not pay, and never will", becomes: /Failed, returned/, status: "failed" },
] as const) {
  test(`a payout with an unknown outcome waits for an admin: "${choice}"`, async ({ browser }) => {
    const id = await withdrawUnclear();
    const page = await findIt(browser, id);
    expect((await statusOf(id)).status).toBe("processing");
    const action = page.getByRole("region", { name: "What the provider did" });
    await action.getByRole("radio", { name: choice }).check();
    if (status === "completed") await action.getByLabel("Provider's reference").fill(`statement-${id}`);
    await action.getByLabel("Reason").fill("By the provider's statement of today");
    await action.getByRole("button", { name: "Decide" }).click();
    await proveIfAsked(page, "admin", headerOf(page).getByText(becomes));
    await expect(headerOf(page)).toHaveText(becomes, { timeout: PATIENCE_MS });
    expect((await statusOf(id)).status).toBe(status);
    await expect(page.getByRole("region", { name: "Messages of the provider", exact: true })).toContainText(/operator/i);
    await page.context().close();
  });
}
