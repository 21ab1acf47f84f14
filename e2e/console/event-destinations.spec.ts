import { expect, test } from "@playwright/test";
import { verifyEvent } from "#sdk/typescript/src/index.ts";
import { change } from "../support/calls.ts";
import { browserOf, open, stepUp, watch } from "../support/console.ts";
import { receiverThat } from "../support/receiver.ts";
import { quote, until } from "../support/settlements.ts";

/** Event destinations in the console: partners' people see where events go, and owners decide it. */

const PATH = "/console/developers/destinations";

test("an owner adds a destination, tests, pauses and resumes it, replays and deletes it; staff only look", async ({ browser }) => {
  const endpoint = await receiverThat((response) => response.writeHead(200).end());
  const got = (id: string) => endpoint.requests.filter(({ body }) => String(body).includes(id)).length;
  const page = await browserOf(browser, "owner");
  const troubles = watch(page);
  await stepUp(page, "owner");
  await open(page, PATH);
  await page.getByRole("button", { name: "Add destination" }).click();
  const form = page.getByRole("dialog", { name: "Add an event destination" });
  await form.getByLabel("Address").fill("http://10.0.0.1/inside");
  await form.getByRole("button", { name: "Add destination" }).click();
  await expect(form.getByRole("alert")).toContainText("must not reach");
  await form.getByLabel("Address").fill(endpoint.url);
  await form.getByLabel("Description").fill("The story's own");
  await form.getByRole("button", { name: "Add destination" }).click();
  const once = page.getByRole("dialog", { name: "Destination added" });
  const callbackSecret = await once.getByRole("definition").getByRole("code").innerText();
  await once.getByLabel("I have stored it").check();
  await once.getByRole("button", { name: "Done" }).click();

  const row = page.getByRole("row").filter({ hasText: "The story's own" });
  const act = async (action: string) => {
    await row.getByRole("button", { name: "Actions for The story's own" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  const { tx_id: sent } = await quote();
  await until(
    async () => got(sent),
    (count) => count === 1,
  );
  const [first] = endpoint.requests;
  const event = await verifyEvent({ headers: first?.headers ?? {}, body: first?.body ?? "" }, { callbackSecret });
  expect([event.type, event.object_id]).toEqual(["settlement.created", sent]);
  await act("Send a test event");
  await expect(row).toContainText("Test arrived");

  await act("Pause");
  await expect(row).toContainText("Paused");
  const { tx_id: waited } = await quote();
  await expect(row).toContainText("1 since");
  expect(got(waited)).toBe(0);
  await act("Resume");
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await until(
    async () => got(waited),
    (count) => count === 1,
  );
  await expect(row).toContainText("Active");

  await act("Replay events");
  const replay = page.getByRole("dialog", { name: "Replay events" });
  await replay.getByLabel("From (UTC)").fill("2020-01-01T00:00");
  await replay.getByRole("button", { name: "Replay" }).click();
  await until(
    async () => got(sent),
    (count) => count === 2,
  );

  const staff = await browserOf(browser, "staff");
  await open(staff, PATH);
  await expect(staff.getByRole("row").filter({ hasText: "The story's own" })).toBeVisible();
  await expect(staff.getByRole("button", { name: /Add destination|Actions for/ })).toHaveCount(0);
  expect((await change(staff, "eventDestinations.pause", { id: "de_00000000000000000000000000" })).status).toBe(404);
  await staff.context().close();

  await act("Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete destination" }).click();
  // While the dialog is open, its page is hidden, and so is every row.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row).toHaveCount(0);
  await open(page, "/console/audit");
  await expect(page.getByText("deleted the event destination").first()).toBeVisible();
  expect(troubles).toEqual([]);
  await page.context().close();
  await endpoint.close();
});
