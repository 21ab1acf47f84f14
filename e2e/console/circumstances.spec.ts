import { gzipSync } from "node:zlib";
import { expect, type Locator, type Page, type Request, test } from "@playwright/test";
import { rejectSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import { read } from "../support/answers.ts";
import { operator, partner } from "../support/client.ts";
import { approveOf, browserOf, footOf, open, type Role, signIn } from "../support/console.ts";
import { receiverThat } from "../support/receiver.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { approve, confirm, ended, onlyCallback, pendingQuote, quote, SETTLEMENTS, until } from "../support/settlements.ts";

/** The same pages for a thumb, in colours that the system forces, and while they are still loading. */

const PHONE = { width: 390, height: 844 };

/** Which of them are too low for a thumb; there must be some at all. */
async function tooLow(controls: Locator): Promise<string[]> {
  await expect(controls.first()).toBeVisible();
  const all = await Promise.all(
    (await controls.all()).map(async (each) => ({ html: await each.evaluate(shown), box: await each.boundingBox() })),
  );
  return all.filter(({ box }) => box !== null && box.height < 44).map(({ html, box }) => `${box?.height} px: ${html}`);
}
const shown = (element: Element) => element.outerHTML.slice(0, 160);

test("on a phone whatever signs in, decides or commits is at least 44 pixels high", async ({ browser }) => {
  const { tx_id } = await pendingQuote();
  const stranger = await (await browser.newContext({ viewport: PHONE, hasTouch: true })).newPage();
  await stranger.goto(`${BASE_URL}/console/sign-in`);
  expect(await tooLow(stranger.locator("form").locator("input, button"))).toEqual([]);
  await stranger.context().close();

  const page = await browserOf(browser, "approver", { viewport: PHONE, hasTouch: true });
  const foot = footOf(page);
  for (const path of [`/console/settlements/${tx_id}`, `/console/approvals?tx=${tx_id}`]) {
    await open(page, path);
    expect(await tooLow(page.getByRole("button", { name: /^(Approve( [\d,.]+ [A-Z]{3})?|Reject)$/ })), path).toEqual([]);
    for (const action of ["Approve", "Reject"]) {
      await (action === "Approve" ? approveOf(page) : page.getByRole("button", { name: action, exact: true })).tap();
      await expect(foot.getByRole("button", { name: new RegExp(`^${action} `) })).toBeVisible();
      expect(await tooLow(foot.locator("button:not([aria-pressed])").filter({ hasText: /\w/ })), `${path}: ${action}`).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(foot).toHaveCount(0);
    }
  }
  await page.context().close();
});

test("seven sections are in sight, the others one press away and at 800 pixels too, and on a phone behind More", async ({ browser }) => {
  const page = await browserOf(browser, "admin", { viewport: { width: 1280, height: 800 } });
  await open(page, "/console");
  const sections = page.getByRole("navigation", { name: "Sections" });
  await expect(sections.getByRole("link")).toHaveCount(7);
  await sections.getByRole("button", { name: "More" }).click();
  await expect(sections.getByRole("link", { name: "Account" })).toBeInViewport({ ratio: 1 });
  // Their shortcuts work also while they are not in sight.
  await sections.getByRole("button", { name: "Fewer" }).click();
  await expect(sections.getByRole("link")).toHaveCount(7);
  await page.keyboard.press("g");
  await page.keyboard.press("y");
  await page.waitForURL(`${BASE_URL}/console/account`);
  await expect(sections.getByRole("link", { name: "Account" })).toHaveAttribute("aria-current", "page");
  await page.setViewportSize(PHONE);
  await expect(sections.getByRole("link")).toHaveCount(4);
  await sections.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Treasury" }).click();
  await page.waitForURL(`${BASE_URL}/console/treasury`);
  await page.context().close();
});

test("a page that is open asks for no other page until somebody opens it, also with a list of links in view", async ({ browser }) => {
  for (let made = 0; made < 3; made += 1) await quote();
  const page = await browserOf(browser, "admin");
  const pages: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("_rsc=")) pages.push(new URL(request.url()).pathname);
  });
  await open(page, "/console/settlements");
  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.getByRole("link", { name: "Partners" }).hover();
  await page.waitForLoadState("networkidle");
  expect(pages).toEqual([]);
  await sections.getByRole("link", { name: "Treasury" }).click();
  await page.waitForURL(`${BASE_URL}/console/treasury`);
  await expect(page.getByRole("heading", { level: 1, name: "Treasury" })).toBeVisible();
  expect(pages).toEqual(["/console/treasury"]);
  await page.context().close();
});

test("what was paid comes first on its page, with a way back to the list above it", async ({ browser }) => {
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements/${tx_id}`);
  const paid = page.getByRole("region", { name: "Paid", exact: true });
  await expect(paid).toContainText(/Transaction.*0x[0-9a-f]{64}.*Block.*\d+ confirmation/);
  await expect(paid.getByRole("button", { name: "Receipt" })).toBeVisible();
  const [first, second] = [await paid.boundingBox(), await page.getByRole("region", { name: "Price", exact: true }).boundingBox()];
  expect(first?.y).toBeLessThan(second?.y ?? 0);
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Settlements" }).click();
  await page.waitForURL(`${BASE_URL}/console/settlements`);
  await page.context().close();
});

test("in colours that the system forces each state keeps its sign, its word and an edge", async ({ browser }) => {
  const merchant = `forced-${Date.now()}`;
  const named = { external_merchant_id: merchant };
  await quote(named);
  await pendingQuote(named);
  await approve((await pendingQuote(named)).tx_id);
  const rejected = await pendingQuote(named);
  const reason = "The merchant is unknown";
  read(rejectSettlementOperation, await operator.call("POST", `/admins/settlements/${rejected.tx_id}/reject`, { reason }));
  expect((await partner.post(`${SETTLEMENTS}/${(await quote(named)).tx_id}/cancel`, {})).status).toBe(200);
  for (const more of [{}, { wallet_address: sandbox.outcomes.blocked_wallet }]) {
    const { tx_id } = await quote({ ...named, ...more });
    await confirm(tx_id);
    await ended(tx_id);
  }
  const page = await browserOf(browser, "viewer", { forcedColors: "active" });
  await open(page, `/console/settlements?merchant=${merchant}`);
  const badges = page.locator("tbody td:nth-child(2) [data-tone]");
  await expect(badges).toHaveText(["Failed", "Executed", "Cancelled", "Rejected", "Approved", "Awaiting approval", "Quoted"]);
  const seen = await badges.evaluateAll((all) =>
    all.map((badge) => {
      const { borderTopStyle, borderTopWidth, color, backgroundColor } = getComputedStyle(badge);
      const icon = badge.querySelector("svg");
      return {
        edge: `${borderTopWidth} ${borderTopStyle}`,
        icon: icon === null ? 0 : Math.round(icon.getBoundingClientRect().width),
        drawn: icon === null ? "" : getComputedStyle(icon).stroke === color,
        readable: color !== backgroundColor,
      };
    }),
  );
  expect(seen).toEqual(seen.map(() => ({ edge: "1px solid", icon: 14, drawn: true, readable: true })));
  await page.context().close();
});

/** Everything green, yellow or red in the page's main part: texts, signs, edges and surfaces. */
async function loudIn(page: Page): Promise<string[]> {
  return await page.getByRole("main").evaluate((main) => {
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const isLoud = (colour: string) => {
      if (pen === null) throw new Error("nothing can be drawn here");
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, solid = 0] = pen.getImageData(0, 0, 1, 1).data;
      return solid > 0 && Math.max(red, green) - blue > 24;
    };
    const found = new Set<string>();
    for (const element of main.querySelectorAll<HTMLElement | SVGElement>("*")) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const style = getComputedStyle(element);
      const painted = [style.color, style.backgroundColor];
      for (const side of ["Top", "Right", "Bottom", "Left"] as const)
        if (style[`border${side}Width`] !== "0px") painted.push(style[`border${side}Color`]);
      if (element.closest("svg")) painted.push(...[style.stroke, style.fill].filter((colour) => colour !== "none"));
      if (painted.some(isLoud)) found.add(element.outerHTML.slice(0, 160));
    }
    return [...found];
  });
}

test("where nothing needs anybody nothing is green, yellow or red; what does need somebody would be seen", async ({ browser }) => {
  const well = await receiverThat((response) => response.end());
  const merchant = `well-${Date.now()}`;
  const named = { external_merchant_id: merchant };
  const { tx_id } = await quote(named);
  await confirm(tx_id, { callback_url: well.url });
  await ended(tx_id);
  await until(
    () => onlyCallback(tx_id),
    ({ state }) => state === "delivered",
  );
  await quote(named);
  const { tx_id: cancelled } = await quote(named);
  expect((await partner.post(`${SETTLEMENTS}/${cancelled}/cancel`, {})).status).toBe(200);
  const [settlement, list] = [`/console/settlements/${tx_id}`, `/console/settlements?merchant=${merchant}`];
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browserOf(browser, "staff", { colorScheme });
    const elsewhere = await browser.newContext();
    await signIn(await elsewhere.newPage(), "staff");
    await elsewhere.close();
    for (const path of [settlement, list, "/console/rates", "/console/account", "/console/fiat"]) {
      await open(page, path);
      await expect(page.locator("main [aria-busy=true]:visible")).toHaveCount(0);
      expect(await loudIn(page), `${path}, ${colorScheme}`).toEqual([]);
    }
    const { tx_id: waiting } = await pendingQuote();
    await open(page, `/console/settlements/${waiting}`);
    expect((await loudIn(page)).length).toBeGreaterThan(0);
    await page.context().close();
  }
  await well.close();
});

/** Counts from the first moment on how far what is shown has moved by itself. */
async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ("value" in entry && typeof entry.value === "number")
          Object.assign(window, { shifted: Reflect.get(window, "shifted") + entry.value });
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => Number(Reflect.get(window, "shifted")));
}

/** Until no request is pending; the stream of live changes never ends, and troubles are polled all the time. */
async function settled(page: Page, path: string): Promise<void> {
  const asked = new Set<Request>();
  const forget = (request: Request) => void asked.delete(request);
  page.on("request", (request) => !/live\.changes|\/console\/troubles/.test(request.url()) && asked.add(request));
  page.on("requestfinished", forget);
  page.on("requestfailed", forget);
  await open(page, path);
  await expect.poll(() => asked.size).toBe(0);
}

const MOST_SHIFT = 0.05;
const LOADS = 3;

for (const viewport of [{ width: 1280, height: 800 }, PHONE]) {
  test(`nothing moves under the eye while the list, the overview and the queue load, ${viewport.width} wide`, async ({ browser }) => {
    await pendingQuote();
    for (const path of ["/console/settlements", "/console", "/console/approvals"]) {
      // Other stories decide settlements meanwhile, and their rows go. What loading moves, it moves each time.
      for (let time = 1; ; time += 1) {
        const page = await browserOf(browser, "approver", { viewport });
        const shifts = await countShifts(page);
        await settled(page, path);
        await expect(page.locator("main [aria-busy=true]:visible")).toHaveCount(0);
        const shifted = await shifts();
        if (time === LOADS) expect(shifted, path).toBeLessThanOrEqual(MOST_SHIFT);
        // It would have been seen.
        await page.locator("main").evaluate((main) => {
          const pushed = document.createElement("div");
          pushed.style.height = "300px";
          main.prepend(pushed);
        });
        await expect.poll(shifts, path).toBeGreaterThan(shifted + MOST_SHIFT);
        await page.context().close();
        if (shifted <= MOST_SHIFT) break;
      }
    }
  });
}

/** In KB, gzipped. `npm run bench -- --only pages` has the figure of every page. */
const MOST_SCRIPT = 220;
/** What draws the code on a paid settlement's receipt: somebody may print it without touching the page before. */
const CODE_ON_RECEIPT = 6;
const PAGES: Partial<Record<Role, string>> = {
  admin: ` settlements settlements/:quoted settlements/:paid queue approvals callbacks callbacks/:callback treasury partners partners/:partner partners/new partners/bank-file
    rates fiat members members/safes batches statements incidents audit policy proposals people single-sign-on settings notifications developers/keys
    developers/log account no-such-page`,
  owner: ` settlements/:quoted callbacks fiat team account batches/new developers/keys developers/destinations developers/go-live
    developers/callback-tester developers/receiver-check`,
};

test("no page loads more script than it needs before anybody touches it", async ({ browser }) => {
  test.setTimeout(300_000);
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  const quoted = (await quote()).tx_id;
  const ids: Record<string, string> = { quoted, paid: tx_id, callback: (await onlyCallback(tx_id)).id, partner: sandbox.partner.id };
  const sizes = new Map<string, number>();
  for (const [role, paths = ""] of Object.entries(PAGES)) {
    const page = await browserOf(browser, role as Role);
    for (const name of paths.split(/\s+/)) {
      const path = `/console/${name.replace(/:(\w+)/, (_, each: string) => ids[each] ?? "")}`;
      await settled(page, path);
      let weight = 0;
      for (const url of await scriptsOf(page)) {
        const size = sizes.get(url) ?? gzipSync(await (await page.request.get(url)).body()).length / 1024;
        sizes.set(url, size);
        weight += size;
      }
      expect.soft(weight, path).toBeGreaterThan(100);
      expect.soft(weight, path).toBeLessThanOrEqual(name.endsWith(":paid") ? MOST_SCRIPT + CODE_ON_RECEIPT : MOST_SCRIPT);
    }
    await page.context().close();
  }
});

/** What the page has loaded, from the cache too. */
async function scriptsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    return [...new Set(loaded)].filter((name) => new URL(name).pathname.endsWith(".js"));
  });
}
