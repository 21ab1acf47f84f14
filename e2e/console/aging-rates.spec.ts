import { createServer } from "node:http";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** The source of rates answers all the time, and its rate is the same old one until it is too old. */

const MAXIMUM_AGE_SECONDS = 8;
/** The line should show and go within five seconds; the test machine may be slower, and this does not measure. */
const PATIENT = { timeout: 45_000 };

const directory = newDirectory();
let own: OwnSandbox | null = null;
test.afterAll(async () => {
  await own?.stop();
  removeDirectory(directory);
});

/** Tickers and a reference in one. While `stopped` is set, it answers with the price of that moment. */
async function rateSource() {
  const source = { stopped: null as Date | null };
  const server = createServer(({ url }, response) => {
    const time = (source.stopped ?? new Date()).toISOString();
    const perDollar = { KES: 129.2, EUR: 0.92, NGN: 1_460, PHP: 58.6, JPY: 154.8, KWD: 0.307, USD: 1 };
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(url?.startsWith("/ticker") ? { price: "1.0001", time } : { base: "USD", date: time.slice(0, 10), rates: perDollar }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const settings = {
    tickers: ["one", "two"].map((name) => ({ name, format: "coinbase_exchange", url: `${origin}/ticker/${name}/{base}/{quote}` })),
    references: [{ name: "sheet", format: "base_rates", url: `${origin}/sheet` }],
    minimum_references: 1,
    // So that it is the service that finds the rate too old.
    maximum_ticker_age_seconds: 3_600,
  };
  return Object.assign(source, { settings: JSON.stringify(settings), close: () => server.close() });
}

async function signedIn(page: Page, role: "viewer" | "staff"): Promise<Locator> {
  const { base_url, users } = readSandboxFile(own?.file);
  await page.goto(`${base_url}/console/sign-in?next=/console/rates`);
  await page.getByLabel("E-mail address").fill(users[role].email);
  await page.getByLabel("Password").fill(users[role].password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible(PATIENT);
  return page.locator("[role=status] > p").filter({ has: page.locator("strong") });
}

test("a rate that stays the same until it is too old is one line with its cause, since when and the runbook, and gone with the next one", async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const source = await rateSource();
  own = await startSandbox(directory, {
    RATE_SOURCE: "http",
    RATE_HTTP: source.settings,
    RATE_MAX_AGE_SECONDS: String(MAXIMUM_AGE_SECONDS),
  });
  const operator = await signedIn(page, "viewer");
  const other = await (await browser.newContext()).newPage();
  const staff = await signedIn(other, "staff");
  for (const line of [operator, staff]) await expect(line).toHaveCount(0, PATIENT);

  source.stopped = new Date();
  await expect(operator).toHaveText(
    /^Quoting is halted: the rate is too old for .*KES\/USDT.*, since .* UTC, runbook rates-stale$/,
    PATIENT,
  );
  await expect(staff).toHaveText(/^.*KES\/USDT.* cannot be quoted right now, since .* UTC$/, PATIENT);
  await expect(operator).toHaveCount(1);
  await expect(page.getByText(/Quoting is halted for \d+ pairs/)).toBeVisible(PATIENT);
  // Who looks first learns since when it is too old, and not since when somebody looked.
  const staleAt = source.stopped.getTime() + MAXIMUM_AGE_SECONDS * 1_000;
  const since = async (line: Locator) => Date.parse((await line.locator("time").getAttribute("datetime")) ?? "");
  for (const line of [operator, staff]) expect(Math.abs((await since(line)) - staleAt)).toBeLessThan(3_000);

  source.stopped = null;
  for (const line of [operator, staff]) await expect(line).toHaveCount(0, PATIENT);
  await expect(page.getByText(/Quoting is halted/)).toHaveCount(0, PATIENT);
  source.close();
  await other.context().close();
});
