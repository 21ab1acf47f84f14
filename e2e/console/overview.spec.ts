import { randomUUID } from "node:crypto";
import { expect, type Page, type Route, test } from "@playwright/test";
import { ask, change, resultOf } from "../support/calls.ts";
import { operator } from "../support/client.ts";
import { browserOf, open, signIn, watch } from "../support/console.ts";
import { partnerClient } from "../support/patient.ts";
import { receiverThat } from "../support/receiver.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, createBody, ended, pendingQuote, quote, SETTLEMENTS } from "../support/settlements.ts";

/** The start page: work that needs attention, figures, and a new partner's first steps. */

type Figures = {
  outcomes: { at: string; executed: number; lapsed: number }[];
  current: { executed: number; success_share: number | null };
};

const chartOf = (page: Page, name: string) => page.getByRole("figure", { name });

test("signing in leads to the overview; what needs attention leads to its list", async ({ page }) => {
  const { tx_id } = await pendingQuote();
  await signIn(page, "viewer");
  expect(new URL(page.url()).pathname).toBe("/console");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
  await page
    .getByRole("list", { name: "Needs attention" })
    .getByRole("link", { name: /awaits? approval ?oldest .*See \d+$/ })
    .click();
  await page.waitForURL(`${BASE_URL}/console/approvals*`);
  await expect(page.getByText("merchant-7").first()).toBeVisible();
  expect(tx_id).toMatch(/^tx_/);
});

test("one sentence comes first, then a row for each thing that needs somebody, what is well, and two plots; the rest is in the address", async ({
  browser,
}) => {
  await pendingQuote();
  const page = await browserOf(browser, "viewer");
  await open(page, "/console?range=30d");
  const opening = page.getByRole("region", { name: "What needs attention" });
  const todos = opening.getByRole("list", { name: "Needs attention" }).getByRole("link");
  const health = page.getByRole("list", { name: "Health" }).getByRole("link");
  const count = await todos.count();
  await expect(opening).toContainText(count === 1 ? "One thing needs attention." : `${count} things need attention.`);
  await expect(opening).toContainText("Payments are going out.");
  // Each part is in one place: a row with a verb where somebody is needed, or a word among what is well.
  for (const part of ["Worker", "Chain", "Callbacks", "Rates", "Treasury", "Open quotes", "Attestation"])
    await expect(todos.or(health).filter({ hasText: new RegExp(`^${part}`) }), part).toHaveCount(1);
  await expect(health.filter({ hasText: /^Worker working$/ })).toHaveCount(1);
  await expect(health.filter({ hasText: /^Chain producing blocks$/ })).toHaveCount(1);
  const heads = [
    opening,
    page.getByRole("list", { name: "Health" }),
    page.getByLabel(/^Key figures: /),
    chartOf(page, "Settlements by outcome"),
    page.getByRole("button", { name: "More figures" }),
  ];
  const tops = [];
  for (const head of heads) tops.push((await head.boundingBox())?.y ?? -1);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await expect(page.getByRole("figure")).toHaveCount(2);
  await page.getByRole("button", { name: "More figures" }).click();
  await expect(chartOf(page, "Age of rates")).toBeVisible();
  await page.waitForURL(({ searchParams }) => searchParams.get("figures") === "all");
  await page.reload();
  await expect(page.getByRole("figure")).toHaveCount(9);
  await page.getByRole("button", { name: "Fewer figures" }).click();
  await expect(page.getByRole("figure")).toHaveCount(2);
  await page.context().close();
});

test("who comes back to it sees new figures, read once: the server has them, and the browser does not ask again", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  await open(page, "/console");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole("link", { name: "Settlements", exact: true }).click();
  await page.waitForURL(`${BASE_URL}/console/settlements`);
  // By then what the browser has kept of the overview is old.
  await page.waitForTimeout(16_000);
  asked.length = 0;
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await expect(chartOf(page, "Settlements by outcome")).toBeVisible();
  await page.waitForTimeout(1_000);
  expect(asked.filter((path) => path === "/console")).toHaveLength(1);
  expect(asked.filter((path) => path.includes("overview.figures"))).toEqual([]);
  await page.context().close();
});

test("a measured amount has two to four places; the exact one is its title, and stays when it is pressed", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  await open(page, "/console/treasury");
  const exact = page.getByRole("button", { name: /^[\d,]+\.\d{4} ETH, exactly [\d,]+\.\d{5,}$/ }).first();
  await expect(exact).toBeVisible();
  const title = (await exact.getAttribute("title")) ?? "";
  expect(title).toMatch(/^\d+\.\d{5,} ETH$/);
  await exact.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `${title}, exact`, exact: true }).first()).toHaveAttribute("aria-pressed", "true");
  await page.context().close();
});

test("the range is in the address and survives reload and Back", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  await open(page, "/console");
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await page.waitForURL((url) => url.searchParams.get("range") === "7d");
  await expect(chartOf(page, "Settlements by outcome").getByText("every 6 hours, UTC")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Last 7 days" })).toHaveAttribute("aria-pressed", "true");
  await page.goBack();
  await expect(page.getByRole("button", { name: "Last 24 hours" })).toHaveAttribute("aria-pressed", "true");
  await page.context().close();
});

test("certain days, and whether they are compared, are in the address; impossible ones are refused at their field", async ({ browser }) => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  const page = await browserOf(browser, "viewer");
  await open(page, "/console");
  const today = (await resultOf<{ now: string }>(page, "overview.now")).now.slice(0, 10);
  await page.getByRole("button", { name: "Days…" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose days" });
  const show = dialog.getByRole("button", { name: "Show these days" });
  await expect(dialog.getByRole("heading")).toBeFocused();
  await show.click();
  await expect(dialog.getByRole("alert")).toHaveText("Choose the first day.");
  await dialog.getByLabel("From (UTC)").fill(today);
  await dialog.getByLabel("To (inclusive)").fill("2020-01-01");
  await show.click();
  await expect(dialog.getByRole("alert")).toHaveText("The last day is before the first day.");
  await dialog.getByLabel("To (inclusive)").fill("2199-01-01");
  await expect(dialog.getByRole("alert")).toHaveText("Choose at most 92 days.");
  await dialog.getByLabel("To (inclusive)").fill(today);
  await dialog.getByLabel("To (inclusive)").press("Enter");
  await page.waitForURL(`${BASE_URL}/console?from=${today}&to=${today}`);
  await expect(chartOf(page, "Settlements by outcome").getByText("by hour")).toBeVisible();
  const { current } = await resultOf<Figures>(page, "overview.figures", { from: today, to: today });
  expect(current.executed).toBeGreaterThan(0);
  const figures = page.getByLabel(/^Key figures: .* against the day before$/);
  const executed = figures.locator("div:has(> dt)").filter({ hasText: /^Executed/ });
  await expect(executed.locator("dd > div").first()).toHaveText(current.executed.toLocaleString("en"));
  // The sandbox is of today: one line says that there is nothing before, not each figure.
  const alone = page.getByText("Nothing to compare with: no settlements in the day before.");
  await expect(alone).toBeVisible();
  await expect(figures.locator("dd > div:nth-child(2)")).toHaveCount(0);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.waitForURL((url) => url.searchParams.get("compare") === "off");
  await expect(alone).toHaveCount(0);
  await expect(chartOf(page, "Volume delivered").getByText("dashed")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "Compare" })).toHaveAttribute("aria-pressed", "false");
  await page.goBack();
  await expect(alone).toBeVisible();
  for (const input of [{ from: today, to: "2199-01-01" }, { from: today }, { from: "today", to: today }]) {
    expect((await ask(page, "overview.figures", input)).status).toBe(422);
  }
  await page.context().close();
});

test("a plot, its table and the figures behind it say the same, by keyboard too, and a part of it leads to its settlements", async ({
  browser,
}) => {
  const { tx_id } = await quote({ external_merchant_id: "plotted" });
  await confirm(tx_id);
  await ended(tx_id);
  const page = await browserOf(browser, "viewer");
  const troubles = watch(page);
  const figures = await resultOf<Figures>(page, "overview.figures", { range: "1h" });
  const executed = figures.outcomes.reduce((sum, point) => sum + point.executed, 0);
  await open(page, "/console?range=1h");
  const chart = chartOf(page, "Settlements by outcome");
  // The server has drawn it: its marks are in the page's text, before any script runs.
  const text = await (await page.request.get(`${BASE_URL}/console?range=1h`)).text();
  expect(text.match(/<rect data-series="Executed"/g)?.length).toBeGreaterThan(0);
  await expect(chart.getByRole("application")).toBeVisible();
  // Other stories settle meanwhile: what is compared below is one answer of the service.
  const held: Route[] = [];
  const calls = /overview\.figures/;
  await page.route(calls, (route) => void held.push(route));
  // The newest point with an executed settlement, by keyboard. The newest of all is empty just after its span has begun.
  await chart.getByRole("application").focus();
  await page.keyboard.press("End");
  const looked = chart.getByRole("tooltip");
  const line = looked.getByRole("paragraph").filter({ hasText: "Executed" });
  await expect(looked).toBeVisible();
  await expect(async () => {
    if ((await line.count()) === 0) await page.keyboard.press("ArrowLeft");
    await expect(line).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const shown = await line.locator("span").last().innerText();
  const point = await looked.getByRole("paragraph").first().innerText();
  await chart.getByRole("button", { name: "View as table" }).click();
  const rows = chart.getByRole("row");
  const column = (await rows.first().getByRole("columnheader").allInnerTexts()).indexOf("Executed");
  await expect(rows.filter({ hasText: point }).getByRole("cell").nth(column)).toHaveText(shown);
  const cells = await Promise.all((await rows.all()).slice(1).map((row) => row.getByRole("cell").nth(column).innerText()));
  expect(cells.reduce((sum, text) => sum + Number(text.replaceAll(",", "")), 0)).toBeGreaterThanOrEqual(executed);
  await page.unroute(calls);
  for (const route of held) await route.continue().catch(() => {});
  await rows.filter({ hasText: point }).getByRole("cell").nth(column).getByRole("link").click();
  await page.waitForURL((url) => url.pathname === "/console/settlements" && url.searchParams.get("view") === "executed");
  await expect(page.locator("tbody tr").filter({ hasText: "plotted" }).first()).toBeVisible();
  await expect.poll(() => page.locator("tbody tr").count()).toBeGreaterThanOrEqual(Math.min(25, Number(shown)));
  expect(troubles).toEqual([]);
  await page.context().close();
});

test("a plot shows what was measured and nothing between: sums as columns, levels as steps, a gap as a gap", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  const { period } = await resultOf<{ period: { to: string } }>(page, "overview.series", { range: "7d" });
  const span = 6 * 3_600_000;
  const newest = Math.floor((new Date(period.to).getTime() - 1) / span) * span;
  const at = (ago: number) => new Date(newest - ago * span).toISOString();
  await page.route(/overview\.(series|figures)/, async (route) => {
    const answer = await route.fetch();
    const names = new URL(route.request().url()).pathname.split("/").at(-1)?.split(",") ?? [];
    const body = await answer.json();
    for (const [index, item] of [body].flat().entries()) {
      if (names[index] === "overview.series") {
        const timing = { chain: "eip155:1", count: 1, p50_seconds: 10, p95_seconds: 20 };
        const volume = { source_currency: "KES", source_amount: "1", destination_currency: "USDT", destination_amount: "100", count: 1 };
        item.result.data.execution = [9, 8, 4].map((ago) => ({ ...timing, at: at(ago) }));
        item.result.data.volume = [9, 4].map((ago) => ({ ...volume, at: at(ago) }));
        item.result.data.volume_before = [{ ...volume, at: new Date(newest - 30 * span).toISOString() }];
      } else {
        const callbacks = { delivered: 4, first: 4, undelivered: 0, retrying: 0 };
        item.result.data.callbacks = [9, 5].map((ago, place) => ({
          ...callbacks,
          at: at(ago),
          delivered: place === 0 ? 1 : 100,
          count: 100,
        }));
      }
    }
    await route.fulfill({ response: answer, json: body });
  });
  await open(page, "/console?figures=all");
  await page.getByRole("button", { name: "Last 7 days" }).click();
  const drawn = (chart: string, series: string) => chartOf(page, chart).locator(`:is(path, rect)[data-series="${series}"]`);
  const piecesOf = async (chart: string, series: string) =>
    ((await drawn(chart, series).getAttribute("d")) ?? "").split("M").filter((piece) => piece !== "");
  // Two adjacent spans are joined, the third is separate.
  await expect.poll(() => piecesOf("Confirmed to executed", "p50")).toHaveLength(2);
  await expect.poll(() => piecesOf("Callbacks delivered", "Delivered")).toHaveLength(2);
  // The points of the days before move to their new sizes.
  const growth = async () => {
    const dots = chartOf(page, "Callbacks delivered").locator('circle[fill="var(--accent)"]');
    const [first = 0, second = 0, ...more] = await dots.evaluateAll((all) => all.map((dot) => Number(dot.getAttribute("r"))));
    return more.length === 0 && first > 0 ? second / first : 0;
  };
  await expect.poll(growth).toBeGreaterThan(1.5);
  // A column for each sum; the period before is level within each span.
  await expect(drawn("Volume delivered", "USDT")).toHaveCount(2);
  const before = await piecesOf("Volume delivered", "USDT before");
  expect(
    before
      .join("")
      .split("L")
      .slice(1)
      .every((to, index, all) => {
        const [x, y] = to.split(",");
        const [formerX, formerY] = (all[index - 1] ?? to).split(",");
        return x === formerX || y === formerY;
      }),
  ).toBe(true);
  await page.context().close();
});

test("key figures say how they are counted, and never add one currency to another", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  await open(page, "/console");
  const figures = page.getByLabel(/^Key figures: Last 24 hours/);
  await expect(figures.getByRole("button", { name: /^Success: Executed ÷ \(executed \+ failed\)/ })).toBeVisible();
  const { current } = await resultOf<{ current: { volume: { currency: string; amount: string }[] } }>(page, "overview.figures", {
    range: "24h",
  });
  await expect(
    figures
      .getByRole("definition")
      .first()
      .locator("div")
      .first()
      .getByTitle(/^\d+(\.\d+)? [A-Z]+$/),
  ).toHaveCount(current.volume.length);
  expect(new Set(current.volume.map(({ currency }) => currency)).size).toBe(current.volume.length);
  await page.context().close();
});

test("one part that fails says so and is tried again; the others stay", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  let broken = true;
  await page.route(/overview\.series/, (route) => (broken ? route.abort() : route.continue()));
  await open(page, "/console");
  await page.getByRole("button", { name: "Last 30 days" }).click();
  await expect(
    page
      .getByText("The service did not answer")
      .or(page.getByText(/Showing data from/))
      .first(),
  ).toBeVisible();
  await page.getByRole("button", { name: "More figures" }).click();
  await expect(chartOf(page, "Wallet runway")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
  broken = false;
  // Each part retries independently.
  const retries = page.getByRole("button", { name: "Retry" });
  await expect(async () => {
    if ((await retries.count()) > 0) await retries.first().click();
    await expect(page.getByText("The service did not answer")).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await expect(chartOf(page, "Volume delivered")).toBeVisible();
  await page.context().close();
});

test("a new partner's checklist ticks itself as it goes, up to the first callback that is acknowledged", async ({ browser }) => {
  const name = `Starter ${randomUUID().slice(0, 8)}`;
  const created = await operator.call("POST", "/partners", { name, slug: name.toLowerCase().replace(" ", "-"), roles: ["AGGREGATOR"] });
  expect(created.status, created.text).toBe(201);
  const { id: partner_id } = JSON.parse(created.text);
  const credentials = { email: `${randomUUID()}@starter.example`, password: `starting ${randomUUID()}` };
  const admin = await browserOf(browser, "admin");
  await change(admin, "session.stepUp", { proof: sandbox.users.admin.password });
  const invited = await change(admin, "people.invite", { email: credentials.email, role: "owner", partner_id });
  expect(invited.status).toBe(200);
  const token = String((invited.data as { link: string }).link.split("/").at(-1));
  expect((await change(admin, "people.accept", { token, name: "Olu Starter", password: credentials.password })).status).toBe(200);
  await admin.context().close();

  const page = await (await browser.newContext()).newPage();
  await page.goto(`${BASE_URL}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(credentials.email);
  await page.getByLabel("Password").fill(credentials.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${BASE_URL}/console`);
  const steps = page.getByRole("list", { name: "Steps to the first settlement" });
  const done = steps.locator("li[data-done]");
  await expect(steps.getByRole("listitem")).toHaveCount(6);
  await expect(done).toHaveCount(0);
  await open(page, "/console/settlements");
  await expect(page.getByText("No settlements yet")).toBeVisible();
  await expect(page.getByRole("main").locator("a[href='/docs']")).toBeVisible();
  // Where none was sent, none was delivered.
  await open(page, "/console/callbacks");
  await expect(page.getByText("None sent yet")).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText(/delivered\./i);
  await open(page, "/console");

  const key = JSON.parse((await operator.call("POST", "/partners/api-keys", { partner_id, name: "first" })).text);
  await expect(done).toHaveText([/An API key/]);
  const client = partnerClient(BASE_URL, key);
  const receiver = await receiverThat((response) => response.writeHead(200).end());
  try {
    expect((await client.post("/api/v1/echo", {})).status).toBe(200);
    await expect(done).toHaveCount(2);
    const { tx_id } = await quote({ external_merchant_id: "first-merchant" }, client);
    await expect(done).toHaveCount(3);
    await confirm(tx_id, { callback_url: receiver.url }, client);
    await ended(tx_id, client);
    // All six: the list has done its work and goes.
    await expect(steps).toHaveCount(0);
  } finally {
    await receiver.close();
  }
  await expect(page.getByRole("table", { name: "The ten newest settlements" }).getByText("first-merchant")).toBeVisible();
  await expect(page.getByRole("figure", { name: "Wallet runway" })).toHaveCount(0);
  await page.context().close();
});

test("a partner's overview counts its own alone", async ({ browser }) => {
  const staff = await browserOf(browser, "staff");
  const [own, all] = [await resultOf<Figures>(staff, "overview.figures", { range: "30d" }), await browserOf(browser, "viewer")];
  const everybody = await resultOf<Figures & { current: { created: number } }>(all, "overview.figures", { range: "30d" });
  const foreign = await operatorsRival();
  const after = await resultOf<Figures>(staff, "overview.figures", { range: "30d" });
  expect(after.current).toEqual(own.current);
  const more = await resultOf<Figures & { current: { created: number } }>(all, "overview.figures", { range: "30d" });
  expect(more.current.created).toBeGreaterThan(everybody.current.created);
  expect(foreign).toBe(201);
  const now = await resultOf<{ inside: unknown; attention: { needs_review: number } }>(staff, "overview.now");
  expect(now.inside).toBeNull();
  await staff.context().close();
  await all.context().close();
});

async function operatorsRival(): Promise<number> {
  return (await partnerClient(BASE_URL, sandbox.second_partner).post(SETTLEMENTS, createBody())).status;
}
