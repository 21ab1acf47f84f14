import { spawn } from "node:child_process";
import { expect, type Page, test } from "@playwright/test";
import { change } from "../support/calls.ts";
import { advancePast } from "../support/clock.ts";
import { browserOf, headerOf, open } from "../support/console.ts";
import { closeAll, receiverThat, type StoryReceiver } from "../support/receiver.ts";
import { exhaust } from "../support/resends.ts";
import { approvedTowards, onlyCallback, tried, until } from "../support/settlements.ts";

/** Callbacks in the console: what was sent, why it was not delivered, and resending. */

const receivers: StoryReceiver[] = [];
const receiver = async (...how: Parameters<typeof receiverThat>) => {
  const opened = await receiverThat(...how);
  receivers.push(opened);
  return opened;
};
test.afterAll(() => closeAll(receivers));

/** Each attempt on its line: a number of six, or a manual one. */
const attemptsOn = (page: Page) => page.locator("summary").filter({ hasText: /^(\d\/6|Extra)/ });

test("an attempt is shown with all that was sent and came back, and its command replays the very bytes", async ({ browser }) => {
  const endpoint = await receiver((response) => response.writeHead(503, { "x-tried": "yes" }).end('{"down":true,"for":1.50}'));
  const txId = await approvedTowards(endpoint.url);
  const { id } = await tried(txId, 1);
  const page = await browserOf(browser, "owner");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, `/console/callbacks/${id}`);
  await expect(headerOf(page).getByText("Retrying", { exact: true })).toBeVisible();
  await expect(page.getByRole("list", { name: "Attempts" }).getByRole("listitem").first()).toContainText("503");
  await expect(page.getByRole("timer", { name: "Next attempt in" })).toHaveText(/^0[01]:\d\d$/);
  const [request, response] = [
    page.getByRole("region", { name: "Request", exact: true }),
    page.getByRole("region", { name: "Response", exact: true }),
  ];
  const [sent] = endpoint.requests;
  await expect(page.getByText("1 of 6, automatic")).toBeVisible();
  await expect(page.getByText("503, not a 2xx")).toBeVisible();
  await expect(page.getByLabel("Where the time went")).toContainText("First byte");
  await expect(request.getByLabel("Request headers")).toContainText(String(sent?.headers["webhook-signature"]));
  await expect(request).toContainText(`${sent?.body.length} bytes`);
  await request.getByRole("button", { name: "Raw" }).click();
  expect(Buffer.from(await request.locator("code").innerText())).toEqual(sent?.body);
  await expect(response).toContainText("503 Service Unavailable");
  await expect(response.getByLabel("Response headers")).toContainText("x-tried");
  await expect(response.locator("code")).toHaveText('{\n  "down": true,\n  "for": 1.50\n}');
  await expect(attemptsOn(page)).toContainText(/\d ms/);

  await request.getByRole("button", { name: "Copy as cURL" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  endpoint.answer = (answer) => answer.end();
  expect(await run(command)).toBe(0);
  const replayed = endpoint.requests.at(-1);
  expect(endpoint.requests.length).toBeGreaterThan(1);
  expect(replayed?.body).toEqual(sent?.body);
  for (const name of ["content-type", "webhook-id", "webhook-timestamp", "webhook-signature", "x-service-signature"])
    expect(replayed?.headers[name], name).toBe(sent?.headers[name]);
  await page.context().close();
});

/** In a separate shell, while this process continues to answer. */
async function run(command: string): Promise<number | null> {
  return await new Promise((resolve) => spawn("bash", ["-c", command], { stdio: "ignore" }).on("close", resolve));
}

test("what was not taken is grouped by why, resent as a job, and called queued until a 2xx comes", async ({ browser }) => {
  const down = await receiver((response) => response.writeHead(503).end());
  const moved = await receiver((response) => response.writeHead(302, { location: "/elsewhere" }).end());
  const txIds = [await approvedTowards(down.url), await approvedTowards(down.url), await approvedTowards(moved.url)];
  const ids = await exhaust(txIds);

  const staff = await browserOf(browser, "staff");
  await open(staff, "/console/callbacks");
  await expect(
    staff.getByRole("region", { name: "By cause and receiver" }).getByRole("listitem").filter({ hasText: down.origin }),
  ).toContainText("Answered 503");
  await expect(staff.getByRole("button", { name: /^Resend/ })).toHaveCount(0);
  expect((await change(staff, "callbacks.resend", { id: ids[0] })).status).toBe(403);
  expect((await change(staff, "callbacks.resendMany", { callback_ids: ids })).status).toBe(403);
  await open(staff, `/console/callbacks/${ids[0]}`);
  await expect(staff.getByRole("button", { name: "Resend" })).toHaveCount(0);
  await staff.context().close();

  const page = await browserOf(browser, "owner");
  await open(page, "/console/callbacks");
  const group = (origin: string) =>
    page.getByRole("region", { name: "By cause and receiver" }).getByRole("listitem").filter({ hasText: origin });
  await expect(group(moved.origin)).toContainText("Answered 302");
  await expect(group(moved.origin)).toContainText("Redirects are not followed");
  await expect(group(down.origin)).toContainText("Answered 503");
  await group(down.origin).getByRole("button", { name: "Show 2" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(2);
  expect(new URL(page.url()).searchParams.get("cause")).toBe("http_503");

  const held: (() => void)[] = [];
  down.answer = (response) => held.push(() => response.writeHead(200).end());
  await group(down.origin).getByRole("button", { name: "Resend all (2)" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`2 callbacks to ${down.origin}`);
  await expect(dialog).toContainText("Receivers must de-duplicate on the callback's id");
  await dialog.getByRole("button", { name: "Resend all (2)" }).click();
  await page.waitForURL(/\/console\/callbacks\/resends\/rj_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Resend of 2 callbacks");
  await expect(page.locator("tbody [data-tone]")).toHaveText(["Queued", "Queued"]);
  await expect.poll(() => held.length).toBe(2);
  await expect(page.locator("tbody [data-tone]")).toHaveText(["Queued", "Queued"]);
  for (const release of held) release();
  await expect(page.locator("tbody [data-tone]")).toHaveText(["Delivered", "Delivered"]);
  await expect(page.getByRole("progressbar", { name: "Callbacks tried" })).toHaveJSProperty("value", 2);
  await expect(page.locator("tbody")).toContainText("200 OK");
  await expect(page.getByRole("link", { name: "Failures as CSV" })).toHaveCount(0);

  await open(page, "/console/callbacks");
  await group(moved.origin).getByRole("button", { name: "Resend all (1)" }).click();
  await dialog.getByRole("button", { name: "Resend all (1)" }).click();
  await page.waitForURL(/\/console\/callbacks\/resends\/rj_/);
  await expect(page.locator("tbody [data-tone]")).toHaveText(["Retrying"]);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Failures as CSV" }).click();
  const file = await (await download).createReadStream();
  const lines = Buffer.concat(await file.toArray())
    .toString("utf8")
    .split("\r\n");
  expect(lines).toEqual([
    "callback_id,subject_id,host,state,error_class,last_status",
    `${ids[2]},${txIds[2]},${new URL(moved.origin).host},retrying,status,302`,
    "",
  ]);

  await open(page, `/console/callbacks/${ids[0]}`);
  await expect(headerOf(page).getByText("Delivered", { exact: true })).toBeVisible();
  await expect(attemptsOn(page).first()).toContainText(/manual, by \w/);
  await expect(attemptsOn(page)).toHaveCount(7);

  await page.keyboard.press("r");
  await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
  await expect(headerOf(page).getByText("Queued", { exact: true })).toBeVisible();
  await expect.poll(() => held.length).toBe(3);
  held[2]?.();
  await expect(headerOf(page).getByText("Delivered", { exact: true })).toBeVisible();
  await page.context().close();
});

test("what fails counts against its receiver from the first failure, and people can resend it at once: one, or all of a receiver", async ({
  browser,
}) => {
  const endpoint = await receiver((response) => response.writeHead(503).end());
  const txIds = [await approvedTowards(endpoint.url), await approvedTowards(endpoint.url), await approvedTowards(endpoint.url)];
  const callbacks = await Promise.all(txIds.map((txId) => tried(txId, 1)));
  const due = callbacks.map(({ next_attempt_at }) => next_attempt_at);

  const page = await browserOf(browser, "owner");
  await open(page, "/console/callbacks?tab=endpoints");
  const row = page.getByRole("row").filter({ hasText: endpoint.origin });
  await expect(row).toContainText("0.0 % of 3");
  // The badge counts what needs a resend, as the tab does. A callback that is still retried needs no one yet.
  await expect(async () => {
    await open(page, "/console/callbacks");
    const given = /\d+/.exec(await page.getByRole("tab", { name: /^Undelivered/ }).innerText())?.[0];
    const name = given === undefined ? /^Callbacks$/ : new RegExp(`^Callbacks\\s*${given}\\s*waiting$`);
    await expect(page.getByRole("navigation").getByRole("link", { name })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  // Nor does any other page say that all went well.
  await open(page, "/console?range=1h&figures=all");
  await expect(page.getByRole("list", { name: "Needs attention" }).getByRole("link", { name: /^Callbacks/ })).toHaveAccessibleName(
    /\d (undelivered|retrying).*(Resend|See) \d+$/,
  );
  await expect(page.getByRole("list", { name: "Health" }).getByRole("link", { name: /^Callbacks/ })).toHaveCount(0);
  const chart = page.getByRole("figure", { name: "Callbacks delivered" });
  await expect(chart).toContainText(/[1-9]\d* failed and still being retried/);
  await expect(chart).not.toContainText(/100 % of [\d,]+ delivered/);

  await open(page, "/console/callbacks?tab=retrying");
  const group = page.getByRole("listitem").filter({ hasText: endpoint.origin });
  await expect(group).toContainText("Answered 503");
  endpoint.answer = (response) => response.writeHead(500).end();
  await group.getByRole("button", { name: "Try all now (3)" }).click();
  await expect.poll(() => endpoint.requests.length).toBe(6);
  const after = await Promise.all(
    txIds.map((txId) =>
      until(
        () => onlyCallback(txId),
        ({ attempts }) => attempts.length === 2 && attempts.every(({ duration_ms }) => duration_ms !== null),
      ),
    ),
  );
  expect(after.map(({ state, next_attempt_at }) => [state, next_attempt_at])).toEqual(due.map((at) => ["pending", at]));
  expect(after.map(({ attempts }) => attempts.map(({ number }) => number))).toEqual(due.map(() => [1, null]));

  endpoint.answer = (response) => response.writeHead(200).end();
  await open(page, `/console/callbacks/${after[0]?.id}`);
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(page.getByText("Delivered", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("In addition to the six, manual").first()).toBeVisible();
  await page.context().close();
});

test("a receiver that is paused gets nothing until it is resumed, and the owner sees since when", async ({ browser }) => {
  const endpoint = await receiver((response) => response.writeHead(503).end());
  const txId = await approvedTowards(endpoint.url);
  const { next_attempt_at } = await tried(txId, 1);
  const page = await browserOf(browser, "owner");
  await open(page, "/console/callbacks?tab=endpoints");
  const row = page.getByRole("row").filter({ hasText: endpoint.origin });
  await row.getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Their maintenance");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(row.getByRole("button", { name: "Resume" })).toBeVisible();
  await expect(row).toContainText("Paused");
  endpoint.answer = (response) => response.writeHead(200).end();
  await advancePast(next_attempt_at ?? "");
  // Another receiver's callback meanwhile shows that the worker has checked what is due.
  const other = await receiver((response) => response.writeHead(200).end());
  await tried(await approvedTowards(other.url), 1);
  expect(endpoint.requests).toHaveLength(1);
  // Wherever a callback waits for it, it says so: in its group, under Retrying, and on its own page.
  const waits = await browserOf(browser, "owner");
  await open(waits, `/console/callbacks?tab=retrying&origin=${encodeURIComponent(endpoint.origin)}`);
  await expect(
    waits
      .getByRole("region", { name: "By cause and receiver" })
      .getByText(/^Paused/)
      .first(),
  ).toBeVisible();
  const waiting = waits
    .getByRole("table")
    .getByRole("row")
    .filter({ hasText: /Paused/ });
  await expect(waiting).toHaveCount(1);
  await waiting.getByRole("link").first().click();
  await expect(waits.getByRole("heading", { level: 1 })).toContainText(/callback$/);
  await expect(waits.getByText(/^Paused .*Their maintenance$/)).toBeVisible();
  await expect(waits.getByText(/until somebody resumes it under Endpoints/)).toBeVisible();
  // No time counts down to an attempt that does not come.
  await expect(waits.getByRole("list", { name: "Attempts" })).toContainText("paused");
  await expect(waits.getByRole("timer")).toHaveCount(0);
  await row.getByRole("button", { name: "Resume" }).click();
  await expect(waits.getByText(/^Paused .*Their maintenance$/)).toHaveCount(0, { timeout: 30_000 });
  await waits.context().close();
  await until(
    () => onlyCallback(txId),
    ({ state }) => state === "delivered",
  );
  expect(endpoint.requests).toHaveLength(2);
  await page.context().close();
});
