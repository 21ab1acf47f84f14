/**
 * `npm run bench:vitals` measures in Chromium what people feel of the list of settlements with 100,000 of them in a database of its own: how
 * soon it is there, whether it moves, how soon it reacts, and how long it takes from a pasted text to the settlement's page.
 * `--rows 20000`: fewer settlements; `--loads 3`: fewer loads. What the numbers mean is in `bench/README.md`.
 */
import { parseArgs } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { launchOptions } from "#e2e/support/browser.ts";
import { type BenchDatabase, openBenchDatabase } from "./database.ts";
import { type Figures, figuresOf, table } from "./measure.ts";
import { seed } from "./seed.ts";
import { type Served, serve } from "./served.ts";
import { noteVitals, pasteUntilOpened, readVitals, type Vitals } from "./vitals.ts";

const { values } = parseArgs({ options: { rows: { type: "string", default: "100000" }, loads: { type: "string", default: "9" } } });
const LOADS = Number(values.loads);
const GOALS = { lcpMs: 2_000, reactionMs: 200, shift: 0.05, searchMs: 500 };
const LIST = "/console/settlements";
type State = NonNullable<BrowserContextOptions["storageState"]>;

/** A page in a browser that has nothing cached. */
async function freshPage(browser: Browser, state?: State): Promise<Page> {
  const permissions = ["clipboard-read", "clipboard-write"];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, permissions, ...(state && { storageState: state }) });
  await noteVitals(context);
  return await context.newPage();
}

async function signIn(browser: Browser, { baseUrl, person }: Served): Promise<State> {
  const page = await freshPage(browser);
  await page.goto(`${baseUrl}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/console/sign-in"));
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

async function openList(browser: Browser, { baseUrl }: Served, state: State): Promise<Page> {
  const page = await freshPage(browser, state);
  await page.goto(baseUrl + LIST);
  await page.locator("tbody tr").first().waitFor();
  await page.locator(".live-pill[data-state=live]").waitFor();
  await page.locator(".pagination-total", { hasText: "in all" }).waitFor();
  return page;
}

/** What one does with a list: look at rows, walk on, choose a list, filter. Answers what the browser noted of it all. */
async function workWith(page: Page): Promise<Vitals> {
  const { lcp, shift } = await readVitals(page);
  await page.locator("tbody tr").nth(2).locator("td").nth(3).click();
  await page.locator(".peek .money").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await page.locator(".peek").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Older" }).click();
  await page.waitForURL((url) => url.searchParams.has("cursor"));
  await page.getByRole("button", { name: /^Awaiting approval/ }).click();
  await page.getByRole("list", { name: "Filters" }).waitFor();
  await page.getByRole("button", { name: /^Filter/ }).click();
  await page.getByRole("dialog").getByLabel("With a lapsed quote").click();
  await page.getByRole("dialog").getByRole("button", { name: "Show settlements" }).click();
  await page.getByRole("button", { name: "Remove the filter with a lapsed quote" }).waitFor();
  // What the browser has still to tell of the last click.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  const { interactions } = await readVitals(page);
  return { lcp, shift, interactions };
}

async function measureReference(browser: Browser, { baseUrl }: Served): Promise<Figures> {
  const taken: number[] = [];
  for (let load = 0; load <= LOADS; load += 1) {
    const page = await freshPage(browser);
    await page.goto(`${baseUrl}/console/sign-in`);
    await page.getByRole("button", { name: "Sign in", exact: true }).and(page.locator(":enabled")).waitFor();
    if (load > 0) taken.push((await readVitals(page)).lcp);
    await page.context().close();
  }
  return figuresOf("the sign-in page", taken);
}

/** Loads the list anew each time; the first time does not count. */
async function measureList(browser: Browser, served: Served, state: State): Promise<Vitals[]> {
  const seen: Vitals[] = [];
  for (let load = 0; load <= LOADS; load += 1) {
    const page = await openList(browser, served, state);
    const vitals = await workWith(page);
    if (load > 0) seen.push(vitals);
    await page.context().close();
  }
  return seen;
}

type Clue = { kind: string; text: string; txId: string };

/** Of each kind a text that only one settlement has. */
async function cluesIn({ sql }: BenchDatabase): Promise<Clue[]> {
  const [one] = await sql<{ id: string; hash: string; wallet: string }[]>`
    select id, tx_hash as hash, wallet_address as wallet from settlements
    where status = 'executed' and wallet_address in (select wallet_address from settlements group by 1 having count(*) = 1)
    order by created_at limit 1`;
  if (one === undefined) throw new Error("no wallet has only one settlement: there is nothing to search for");
  const { id: txId, hash, wallet } = one;
  return [
    { kind: "settlement id", text: txId, txId },
    { kind: "transaction hash", text: hash, txId },
    { kind: "explorer link", text: `https://explorer.example/tx/${hash}`, txId },
    { kind: "wallet", text: wallet, txId },
  ];
}

async function measureSearches(browser: Browser, served: Served, state: State, clues: readonly Clue[]): Promise<Figures[]> {
  const found: Figures[] = [];
  for (const { kind, text, txId } of clues) {
    const taken: number[] = [];
    for (let load = 0; load <= LOADS; load += 1) {
      const page = await openList(browser, served, state);
      await page.getByRole("searchbox").focus();
      const ms = await pasteUntilOpened(page, text, txId);
      if (load > 0) taken.push(ms);
      await page.context().close();
    }
    found.push(figuresOf(kind, taken));
  }
  return found;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

async function measureAll(browser: Browser, served: Served, clues: readonly Clue[]): Promise<void> {
  const reference = await measureReference(browser, served);
  print(table("Reference: its largest part is painted", [reference], reference, null));
  const state = await signIn(browser, served);
  const seen = await measureList(browser, served, state);
  const painted = figuresOf(
    "the list",
    seen.map(({ lcp }) => lcp),
  );
  print(table("Largest part painted (LCP)", [painted], reference, GOALS.lcpMs));
  const slowest = seen.map(({ interactions }) => Math.max(16, ...interactions));
  print(table("Slowest reaction of each load (INP)", [figuresOf("row, key, page, list, filter", slowest)], reference, GOALS.reactionMs));
  const shift = Math.max(...seen.map((vitals) => vitals.shift));
  print(
    `Moved by itself (CLS), goal: at most ${GOALS.shift}\n  at most ${shift.toFixed(4)}${shift > GOALS.shift ? "  over the goal" : ""}\n`,
  );
  print(table("From a pasted text to its settlement", await measureSearches(browser, served, state, clues), reference, GOALS.searchMs));
  print(table("Reference, again", [await measureReference(browser, served)], reference, null));
}

const database = await openBenchDatabase();
let served: Served | null = null;
let browser: Browser | null = null;
try {
  await seed(database.owner, Number(values.rows));
  served = await serve(database.url);
  browser = await chromium.launch(launchOptions);
  print(`${Number(values.rows).toLocaleString("en")} settlements, ${LOADS} loads of each, nothing cached\n`);
  await measureAll(browser, served, await cluesIn(database));
} finally {
  await browser?.close();
  await served?.stop();
  await database.close();
}
