import { type Browser, expect, type Locator, type Page, type Route, test } from "@playwright/test";
import { exchangeRatesOperation } from "#contract/partner/rate-operations.ts";
import { read } from "../support/answers.ts";
import { operator } from "../support/client.ts";
import { acknowledge, approveOf, browserOf, dialogOf, footOf, livePill, notesOf, open, panelOf } from "../support/console.ts";
import { withdrawal } from "../support/orders.ts";
import { approve, find, pendingQuote, setRate } from "../support/settlements.ts";

/** The network fails, the service hangs, the price moves: nothing is executed later, and nothing false is shown. */

const PHONE = { width: 390, height: 844 };
const VIEWPORTS = [{ width: 1280, height: 800 }, PHONE];
/** Long enough for every deadline of the console on a busy machine. */
const PATIENT = { timeout: 30_000 };

const commitButton = (page: Page) => footOf(page).getByRole("button", { name: /^Approve / });

/** A settlement's own page, reached from the list or directly, with the decision open, priced, and its warnings acknowledged. */
async function deciding(browser: Browser, txId: string, isFromList = false, viewport = { width: 1280, height: 800 }): Promise<Page> {
  const page = await browserOf(browser, "approver", { viewport });
  await open(page, isFromList ? "/console/settlements" : `/console/settlements/${txId}`);
  if (isFromList) await page.locator(`tbody a[title="${txId}"]`).click();
  await approveOf(page).click();
  await acknowledge(page);
  await expect(commitButton(page)).toBeEnabled();
  return page;
}

/** Delays the calls of one procedure until they are released, like a frozen service. */
async function blockUp(page: Page, procedure: string): Promise<{ held: Route[]; forget: () => Promise<void> }> {
  const held: Route[] = [];
  const pattern = `**/api/trpc/**${procedure}**`;
  await page.route(pattern, (route) => void held.push(route));
  return {
    held,
    forget: async () => {
      await page.unroute(pattern);
      for (const route of held.splice(0)) await route.continue().catch(() => {});
    },
  };
}

/** The browser idles when the story calls `idle()`, as late as on a busy machine: until then nothing is loaded ahead. */
async function idleOnDemand(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const waiting: (() => void)[] = [];
    Object.assign(window, { requestIdleCallback: (work: () => void) => waiting.push(work), idle: () => waiting.shift()?.() });
  });
}

type Earlier = { isMarked: boolean; text: string; opacity: number };

/** Notes in the page how the earlier answer is shown, since it may be over before a busy machine asks. */
async function noteEarlier(page: Page): Promise<() => Promise<Earlier>> {
  await page.evaluate(() => {
    const seen: Earlier = { isMarked: false, text: "", opacity: 1 };
    const look = () => {
      const answer = document.querySelector("main [aria-busy=true]:has(table)");
      const shell = answer?.querySelector(":scope > :has(table)");
      seen.isMarked ||= document.querySelector("main [data-earlier][aria-busy=true]") !== null;
      if (answer && shell) {
        seen.text = answer.querySelector("[role=status]")?.textContent ?? seen.text;
        seen.opacity = Math.min(seen.opacity, Number(getComputedStyle(shell).opacity));
      }
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { seenEarlier: seen });
  });
  return () => page.evaluate(() => (window as unknown as { seenEarlier: Earlier }).seenEarlier);
}

async function expectSeenWithFocus(element: Locator): Promise<void> {
  await expect(element).toBeFocused();
  await expect(element).toBeInViewport({ ratio: 1 });
}

test("a part of a page that cannot be loaded says so, leaves the page as it is, and comes with another try", async ({ browser }) => {
  const page = await browserOf(browser, "approver");
  await idleOnDemand(page);
  await open(page, "/console/settlements");
  const scripts = "**/_next/static/chunks/**";
  await page.route(scripts, (route) => route.abort());
  const failed = page.getByRole("alert").filter({ hasText: "This could not be loaded." });
  await page.keyboard.press("ControlOrMeta+k");
  await expect(failed).toBeVisible(PATIENT);
  await expect(page.getByRole("heading", { name: "Settlements", exact: true })).toBeVisible();
  await failed.getByRole("button", { name: "Close" }).click();
  await expect(failed).toHaveCount(0);
  await page.getByRole("button", { name: /^Filter/ }).click();
  await expect(failed).toBeVisible(PATIENT);
  await page.unroute(scripts);
  await failed.getByRole("button", { name: "Try again" }).click();
  await expect(dialogOf(page).getByRole("heading", { name: "Filter settlements" })).toBeFocused(PATIENT);
  await expect(failed).toHaveCount(0);
  await page.context().close();
});

test("what is loaded ahead takes no error off the page: the part waits for the press on Try again", async ({ browser }) => {
  const page = await browserOf(browser, "approver");
  await idleOnDemand(page);
  const scripts = "**/_next/static/chunks/**";
  const loaded: string[] = [];
  page.on("requestfinished", (request) => request.url().includes("/_next/static/chunks/") && loaded.push(request.url()));
  await open(page, "/console/settlements");
  await page.route(scripts, (route) => route.abort());
  await page.getByRole("button", { name: /^Filter/ }).click();
  const failed = page.getByRole("alert").filter({ hasText: "This could not be loaded." });
  await expect(failed).toBeVisible(PATIENT);
  await page.unroute(scripts);
  const before = loaded.length;
  // One part after the other, until every other one is there.
  await expect(async () => {
    await page.evaluate("idle()");
    expect(loaded.length).toBeGreaterThan(before + 3);
  }).toPass();
  await expect(failed).toBeVisible();
  await expect(dialogOf(page)).toHaveCount(0);
  await failed.getByRole("button", { name: "Try again" }).click();
  await expect(dialogOf(page).getByRole("heading", { name: "Filter settlements" })).toBeFocused(PATIENT);
  await page.context().close();
});

test("offline an approval is not sent, says so next to the button, and is not sent by itself when the network is back", async ({
  browser,
}) => {
  const { tx_id } = await pendingQuote();
  const page = await deciding(browser, tx_id);
  const sent: string[] = [];
  page.on("requestfinished", (request) => request.url().includes("approvals.approve") && sent.push(request.url()));
  await page.context().setOffline(true);
  await expect(livePill(page)).toHaveText("Reconnecting…");
  await commitButton(page).click();
  const refused = footOf(page).getByRole("alert");
  await expect(refused).toContainText("Not sent", PATIENT);
  await expectSeenWithFocus(refused);
  await page.context().setOffline(false);
  // The page itself is back and reads again; the action is not repeated.
  await expect(livePill(page)).toHaveText("Live", PATIENT);
  await page.waitForResponse((response) => response.url().includes("approvals.preview") && response.ok(), PATIENT);
  expect(sent).toEqual([]);
  expect((await find(tx_id)).approval_state).toBe("pending");
  await commitButton(page).click();
  await expect(footOf(page)).toHaveCount(0);
  expect((await find(tx_id)).approval_state).toBe("approved");
  await page.context().close();
});

for (const way of ["Escape", "the button", "Back"]) {
  test(`while an approval hangs, ${way} closes the decision, and a toast says that nobody knows whether it arrived`, async ({
    browser,
  }) => {
    const { tx_id } = await pendingQuote();
    const page = await deciding(browser, tx_id, way === "Back");
    const { held, forget } = await blockUp(page, "approvals.approve");
    await commitButton(page).click();
    await expect.poll(() => held.length).toBe(1);
    if (way === "Escape") await page.keyboard.press("Escape");
    else if (way === "Back") await page.goBack();
    else await footOf(page).getByRole("button", { name: "Close", exact: true }).first().click();
    await expect(footOf(page)).toHaveCount(0);
    if (way === "Back") await expect(page.getByRole("heading", { name: "Settlements", exact: true })).toBeVisible();
    await expect(notesOf(page)).toContainText("No answer came", PATIENT);
    expect((await find(tx_id)).approval_state).toBe("pending");
    await forget();
    await page.context().close();
  });
}

test("an approval without an answer is looked at: still waiting, or approved and by whom; and one that was held up is not done later", async ({
  browser,
}) => {
  const { tx_id } = await pendingQuote();
  const page = await deciding(browser, tx_id);
  const refused = footOf(page).getByRole("alert");
  const first = await blockUp(page, "approvals.approve");
  await commitButton(page).click();
  await expect(refused).toContainText("It may or may not have arrived", PATIENT);
  await expect(refused).toContainText(/Checked at .*: it still awaits a decision/, PATIENT);
  await expectSeenWithFocus(refused);
  const headers = first.held[0]?.request().headers() ?? {};
  const data = first.held[0]?.request().postDataJSON();
  await first.forget();
  // Exactly the same request, arriving after its deadline.
  const lapses = Date.parse(headers["x-lapses-at"] ?? "");
  expect(lapses).toBeGreaterThan(0);
  await expect.poll(() => Date.now(), PATIENT).toBeGreaterThan(lapses);
  const late = await page.request.post(first.held[0]?.request().url() ?? lateUrl(page), { data, headers });
  expect(late.status()).toBe(409);
  expect((await find(tx_id)).approval_state).toBe("pending");
  // And one that arrives, with its answer lost.
  await page.route("**/api/trpc/approvals.approve*", async (route) => {
    await approve(tx_id);
    await route.abort("connectionreset");
  });
  await commitButton(page).click();
  await expect(panelOf(page).getByRole("alert")).toContainText("Already approved by an operator's key", PATIENT);
  await expectSeenWithFocus(panelOf(page).getByRole("alert"));
  await page.context().close();
});

const lateUrl = (page: Page) => new URL("/api/trpc/approvals.approve", page.url()).href;

async function midRate(source: string, destination: string): Promise<number> {
  const rates = read(exchangeRatesOperation, await operator.call("GET", "/exchange-rates"));
  return rates.find((each) => each.source_currency === source && each.destination_currency === destination)?.rate ?? Number.NaN;
}

for (const viewport of VIEWPORTS) {
  test(`a refusal is in sight with the focus, and the new price needs its own confirmation, ${viewport.width} wide`, async ({
    browser,
  }) => {
    const { tx_id } = await pendingQuote({}, "PHP");
    const before = await midRate("PHP", "USDT");
    const page = await deciding(browser, tx_id, false, viewport);
    const dialog = footOf(page);
    try {
      await setRate("PHP", "USDT", Number((before * 1.05).toPrecision(8)));
      await commitButton(page).click();
      const refused = dialog.getByRole("alert");
      await expect(refused).toContainText(/Nothing was approved at .*\d\d:\d\d/);
      await expectSeenWithFocus(refused);
      await expect(commitButton(page)).toBeDisabled();
      await page.keyboard.press("Control+Enter");
      expect((await find(tx_id)).approval_state).toBe("pending");
      const asked = dialog.getByRole("checkbox", { name: /I have read the new price/ });
      await expect(asked).toBeInViewport();
      await expect(commitButton(page)).toBeInViewport();
      await asked.check();
      await commitButton(page).click();
      await expect(dialog).toHaveCount(0);
      expect((await find(tx_id)).approval_state).toBe("approved");
    } finally {
      await setRate("PHP", "USDT", before);
    }
    await page.context().close();
  });
}

test("Ctrl and Enter commit as soon as the decision is open, and are among the shortcuts", async ({ browser }) => {
  const { tx_id } = await pendingQuote();
  const page = await browserOf(browser, "approver");
  await open(page, `/console/settlements/${tx_id}`);
  await page.keyboard.press("?");
  await expect(dialogOf(page)).toContainText("In a dialog or a decision: press its main button");
  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toHaveCount(0);
  await page.keyboard.press("a");
  await expect(page.locator("#review-heading")).toBeFocused();
  await acknowledge(page);
  await expect(commitButton(page)).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  await expect(footOf(page)).toHaveCount(0);
  expect((await find(tx_id)).approval_state).toBe("approved");
  await page.context().close();
});

const LISTS = [
  { what: "settlements", path: "/console/settlements", procedure: "settlements.list" },
  { what: "the audit log", path: "/console/audit", procedure: "audit.list" },
  { what: "the API log", path: "/console/developers/log", procedure: "apiLog.list" },
  { what: "fiat orders", path: "/console/fiat?tab=withdrawals", procedure: "fiat.withdrawals" },
];

for (const { what, path, procedure } of LISTS) {
  test(`rows of the question before are marked at once, gone soon, and make way for an error that offers another try: ${what}`, async ({
    browser,
  }) => {
    await pendingQuote();
    await withdrawal();
    const page = await browserOf(browser, "admin");
    await open(page, path);
    const list = page.getByRole("table", { name: /newest first$/ });
    const rows = list.locator("tbody tr");
    await expect(rows.first()).toBeVisible();
    const answer = page.locator("main [aria-busy]").filter({ has: list });
    await expect(answer).toHaveAttribute("aria-busy", "false");
    const { forget } = await blockUp(page, procedure);
    const earlier = await noteEarlier(page);
    await page.getByRole("navigation", { name: "Pages of the list" }).getByLabel("Rows").selectOption("100");
    await expect.poll(async () => (await earlier()).text).toBe("The earlier answer; reading …");
    await expect.poll(async () => (await earlier()).opacity).toBeLessThan(1);
    await expect(rows).toHaveCount(0, PATIENT);
    await expect(page.locator("main [aria-busy=true]").filter({ hasText: "Loading" })).toBeVisible();
    // Nothing waits for ever: after some seconds the skeleton is an error with a way on.
    const trouble = page.locator("main").getByRole("alert");
    await expect(trouble).toContainText("The service did not answer", PATIENT);
    await forget();
    await trouble.getByRole("button", { name: "Retry" }).click();
    await expect(rows.first()).toBeVisible();
    await expect(answer).toHaveAttribute("aria-busy", "false");
    await page.context().close();
  });
}

test("plots of the range before are marked at once and gone soon", async ({ browser }) => {
  const page = await browserOf(browser, "admin");
  await open(page, "/console");
  await expect(page.getByLabel(/^Key figures/)).toBeVisible();
  const { forget } = await blockUp(page, "overview.figures");
  const earlier = await noteEarlier(page);
  await page.getByRole("button", { name: /^1h|last hour/i }).click();
  await expect.poll(async () => (await earlier()).isMarked).toBe(true);
  await expect(page.getByLabel(/^Key figures/)).toHaveCount(0, PATIENT);
  await forget();
  await page.context().close();
});
