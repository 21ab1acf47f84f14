import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "@playwright/test";
import { launchOptions } from "#e2e/support/browser.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { callsTable, type Figures, figuresOf } from "./calls.ts";
import { seed } from "./seed.ts";
import { onStage, type Stage } from "./stage.ts";
import { pasteUntilOpened, readVitals, recordVitals, type Vitals } from "./vitals.ts";

type Served = Pick<Stage, "person"> & { baseUrl: string; loads: number };
const GOALS = { lcpMs: 1_000, reactionMs: 200, shift: 0.05, searchMs: 500 };
const LIST = "/console/settlements";
const LEAST_TOLD_MS = 16;
type State = NonNullable<BrowserContextOptions["storageState"]>;

/** A page in a browser with an empty cache. */
async function freshPage(browser: Browser, state?: State): Promise<Page> {
  const permissions = ["clipboard-read", "clipboard-write"];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, permissions, ...(state && { storageState: state }) });
  await recordVitals(context);
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

/** What one does with a list, each with what shows that it was done. */
const STEPS: readonly [name: string, act: (page: Page) => Promise<void>][] = [
  ["a click on a row", (page) => click(page.locator("tbody tr").nth(2).locator("td").nth(3), page.locator(".peek .money").first())],
  ["the key to the next row", (page) => page.keyboard.press("j")],
  ["the key that closes the side panel", (page) => page.keyboard.press("Escape")],
  ["the next page", (page) => click(page.getByRole("button", { name: "Older" }), page.locator(".pagination button:enabled").first())],
  [
    "a shorter list",
    (page) => click(page.getByRole("button", { name: /^Awaiting approval/ }), page.getByRole("list", { name: "Filters" })),
  ],
  ["the filters", (page) => click(page.getByRole("button", { name: /^Filter/ }), page.getByRole("dialog"))],
  ["a filter, applied", applyFilter],
];

async function applyFilter(page: Page): Promise<void> {
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("With a lapsed quote").check();
  await click(
    drawer.getByRole("button", { name: "Show settlements" }),
    page.getByRole("button", { name: /^Remove the filter with a lapsed/ }),
  );
}

async function click(on: Locator, shown: Locator): Promise<void> {
  await on.click();
  await shown.waitFor();
}

/** The slowest reaction to each step, in order; the browser does not report those under two frames. */
async function workWith(page: Page): Promise<number[]> {
  const slowest: number[] = [];
  for (const [, act] of STEPS) {
    const { interactions: before } = await readVitals(page);
    await act(page);
    // Waits for what the browser still has to paint and report.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
    const { interactions } = await readVitals(page);
    slowest.push(Math.max(LEAST_TOLD_MS, ...interactions.slice(before.length)));
  }
  return slowest;
}

async function measureReference(browser: Browser, served: Served): Promise<Figures> {
  const taken: number[] = [];
  for (let load = 0; load <= served.loads; load += 1) {
    const page = await freshPage(browser);
    await page.goto(`${served.baseUrl}/console/sign-in`);
    await page.getByRole("button", { name: "Sign in", exact: true }).and(page.locator(":enabled")).waitFor();
    if (load > 0) taken.push((await readVitals(page)).lcp);
    await page.context().close();
  }
  return figuresOf("the sign-in page", taken);
}

type Load = Pick<Vitals, "lcp" | "shift"> & { reactions: number[] };

/** Loads the list again each time; the first time does not count. */
async function measureList(browser: Browser, served: Served, state: State): Promise<Load[]> {
  const seen: Load[] = [];
  for (let load = 0; load <= served.loads; load += 1) {
    const page = await openList(browser, served, state);
    const { lcp, shift } = await readVitals(page);
    const reactions = await workWith(page);
    if (load > 0) seen.push({ lcp, shift, reactions });
    await page.context().close();
  }
  return seen;
}

/** The other pages that people open first. */
const PAGES: readonly [name: string, pathOf: (known: Known) => string][] = [
  ["the overview", () => "/console"],
  ["my queue", () => "/console/queue"],
  ["one settlement", ({ id }) => `${LIST}/${id}`],
];

type Painted = { name: string; loads: Pick<Vitals, "lcp" | "shift">[] };

/** Loads each page as often; the first time does not count. */
async function measurePages(browser: Browser, { baseUrl }: Served, state: State, known: readonly Known[]): Promise<Painted[]> {
  const painted: Painted[] = [];
  for (const [name, pathOf] of PAGES) {
    const loads: Painted["loads"] = [];
    for (const one of known) {
      const page = await freshPage(browser, state);
      await page.goto(baseUrl + pathOf(one));
      await page.locator(".live-pill[data-state=live]").waitFor();
      await page.locator("main:not(:has([aria-busy=true]))").waitFor();
      loads.push(await readVitals(page));
      await page.context().close();
    }
    painted.push({ name, loads: loads.slice(1) });
  }
  return painted;
}

type Known = { id: string; hash: string; wallet: string };

/** What somebody may have copied elsewhere. */
const CLUES: readonly [name: string, textOf: (known: Known) => string][] = [
  ["settlement id", ({ id }) => id],
  ["transaction hash", ({ hash }) => hash],
  ["explorer link", ({ hash }) => `https://explorer.example/tx/${hash}`],
  ["wallet", ({ wallet }) => wallet],
];

/** So many settlements that no other shares the wallet of. */
async function findKnown({ sql }: BenchDatabase, count: number): Promise<Known[]> {
  const found = await sql<Known[]>`
    select id, tx_hash as hash, wallet_address as wallet from settlements
    where status = 'executed' and wallet_address in (select wallet_address from settlements group by 1 having count(*) = 1)
    order by md5(id) limit ${count}`;
  if (found.length < count) throw new Error(`only ${found.length} settlements have a wallet of their own: seed more rows`);
  return found;
}

async function measureFirstSearch(browser: Browser, served: Served, state: State, known: readonly Known[]): Promise<Figures> {
  const taken: number[] = [];
  for (const { id } of known) {
    const page = await openList(browser, served, state);
    await page.getByRole("searchbox").focus();
    taken.push(await pasteUntilOpened(page, id, id));
    await page.context().close();
  }
  return figuresOf("settlement id, nothing cached", taken.slice(1));
}

/** One after the other in one browser, each of another settlement. */
async function measureSearches(browser: Browser, served: Served, state: State, known: readonly Known[]): Promise<Figures[]> {
  const page = await openList(browser, served, state);
  const found: Figures[] = [];
  for (const [name, textOf] of CLUES) {
    const taken: number[] = [];
    for (const one of known) {
      await page.getByRole("searchbox").focus();
      taken.push(await pasteUntilOpened(page, textOf(one), one.id));
      await click(page.locator(`.rail-link[href="${LIST}"]`), page.locator(".pagination-total", { hasText: "in all" }));
    }
    found.push(figuresOf(name, taken.slice(1)));
  }
  await page.context().close();
  return found;
}

async function measureAll(browser: Browser, served: Served, known: readonly Known[]): Promise<string> {
  const reference = await measureReference(browser, served);
  const state = await signIn(browser, served);
  const seen = await measureList(browser, served, state);
  const painted = [{ name: "the list", loads: seen }, ...(await measurePages(browser, served, state, known))];
  const reactions = STEPS.map(([name], step) =>
    figuresOf(
      name,
      seen.map((load) => load.reactions[step] ?? Number.NaN),
    ),
  );
  const shift = Math.max(...painted.flatMap(({ loads }) => loads.map((load) => load.shift)));
  const first = await measureFirstSearch(browser, served, state, known);
  const others = await measureSearches(browser, served, state, known);
  return [
    callsTable("Reference: its largest part is painted", [reference], reference),
    callsTable(
      "Largest part painted (LCP)",
      painted.map(({ name, loads }) =>
        figuresOf(
          name,
          loads.map(({ lcp }) => lcp),
        ),
      ),
      reference,
      GOALS.lcpMs,
    ),
    callsTable("Slowest reaction (INP)", reactions, reference, GOALS.reactionMs),
    `Moved by itself (CLS): at most ${shift.toFixed(4)}, goal: at most ${GOALS.shift}${shift > GOALS.shift ? ", which is missed" : ""}.`,
    callsTable("From a pasted text to its settlement", [first, ...others], reference, GOALS.searchMs),
    callsTable("Reference, again", [await measureReference(browser, served)], reference),
  ].join("\n\n");
}

/**
 * What people feel of the console in Chromium, in front of the built web process: how soon list, overview, queue and a settlement are
 * there, whether they move, how soon the list reacts, and how long it takes from a pasted text to the settlement's page.
 */
export async function measureVitals(server: BenchServer, { rows, loads }: { rows: number; loads: number }): Promise<string> {
  return await server.withDatabase(async (database) => {
    await seed(database.owner, rows);
    const measured = async (stage: Stage) => {
      const { baseUrl } = await stage.startWeb();
      const browser = await chromium.launch(launchOptions);
      try {
        return await measureAll(browser, { person: stage.person, baseUrl, loads }, await findKnown(database, loads + 1));
      } finally {
        await browser.close();
      }
    };
    return `${rows.toLocaleString("en")} settlements, ${loads} loads of each.\n\n${await onStage(database, measured)}`;
  });
}
