import { expect, type Page, test } from "@playwright/test";
import { CALLBACK_EVENTS } from "#domain/callback.ts";
import { BRAND } from "#sandbox/client/signing.ts";
import { expectNoSidewaysScroll, faultsInBothThemes, titleOfSound } from "../support/accessibility.ts";
import { browserOf, footOf, open, type Role, watch } from "../support/console.ts";
import { addProvider } from "../support/identity.ts";
import { membersAndOrders } from "../support/orders.ts";
import { closeAll, type StoryReceiver } from "../support/receiver.ts";
import { resent } from "../support/resends.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, onlyCallback, pendingQuote, quote } from "../support/settlements.ts";
import { draft, send, withHeader } from "../support/signed.ts";

/** Every page for everybody: with a keyboard, a screen reader, a phone, in the dark, on another connection. */

/** Add every new page here. `shows`: content that loads after the rest, and is checked as well. */
const PAGES: readonly { path: string; role: Role; shows?: string }[] = [
  { path: "/console", role: "approver" },
  { path: "/console", role: "staff" },
  { path: "/console/rates", role: "approver" },
  { path: "/console/rates", role: "staff" },
  { path: "/console/approvals", role: "approver" },
  { path: "/console/settlements", role: "approver" },
  { path: "/console/settlements?view=failed&merchant=nobody", role: "approver" },
  { path: "/console/settlements?peek=:executed", role: "approver", shows: ".peek .money" },
  { path: "/console/settlements/:executed", role: "approver" },
  { path: "/console/settlements/:pending", role: "approver" },
  { path: "/console/settlements", role: "staff" },
  { path: "/console/batches", role: "approver" },
  { path: "/console/batches/new", role: "owner" },
  { path: "/console/callbacks", role: "approver" },
  { path: "/console/callbacks?tab=retrying", role: "staff" },
  { path: "/console/callbacks?tab=endpoints", role: "approver" },
  { path: "/console/callbacks/:callback", role: "approver" },
  { path: "/console/callbacks/resends/:resend", role: "staff" },
  { path: "/console/members", role: "approver" },
  { path: "/console/members", role: "staff" },
  { path: "/console/members/:member", role: "approver" },
  { path: "/console/members/safes", role: "approver" },
  { path: "/console/fiat", role: "approver" },
  { path: "/console/fiat", role: "staff" },
  { path: "/console/fiat?tab=withdrawals", role: "approver" },
  { path: "/console/fiat?tab=topups", role: "staff" },
  { path: "/console/fiat/withdrawals/:withdrawal", role: "approver" },
  { path: "/console/fiat/topups/:topup", role: "staff" },
  { path: "/console/developers/keys", role: "approver" },
  { path: "/console/developers/keys", role: "staff" },
  { path: "/console/developers/keys", role: "owner" },
  { path: "/console/developers/callback-tester", role: "owner" },
  { path: "/console/developers/receiver-check", role: "owner" },
  { path: "/console/developers/destinations", role: "owner" },
  { path: "/console/developers/go-live", role: "staff" },
  { path: "/console/developers/go-live", role: "owner", shows: ".checklist li" },
  { path: "/console/developers/log", role: "approver" },
  { path: "/console/developers/log?code=no_such_code", role: "staff" },
  { path: "/console/developers/log/:refused", role: "approver" },
  { path: "/console/account", role: "approver" },
  { path: "/console/account", role: "owner" },
  { path: "/console/single-sign-on", role: "admin" },
  { path: "/console/single-sign-on", role: "owner", shows: ".provider-facts" },
  { path: "/console/notifications", role: "approver" },
  { path: "/console/settings", role: "approver" },
  { path: "/console/people", role: "admin" },
  { path: "/console/policy", role: "approver" },
  { path: "/console/proposals", role: "approver" },
  { path: "/console/queue", role: "approver" },
  { path: "/console/incidents", role: "approver" },
  { path: "/console/statements", role: "owner" },
  { path: "/console/team", role: "owner" },
  { path: "/console/audit", role: "approver" },
  { path: "/console/audit", role: "staff" },
  { path: "/console/partners", role: "approver" },
  { path: "/console/partners/:partner", role: "approver" },
  { path: "/console/partners/new", role: "admin" },
  { path: "/console/partners/bank-file", role: "admin" },
  { path: "/console/treasury", role: "approver" },
  { path: "/console/treasury?tab=limits", role: "approver" },
  { path: "/console/treasury?tab=books", role: "approver" },
  { path: "/console/no-such-page", role: "approver" },
];

const ids: Record<string, string> = {};
const receivers: StoryReceiver[] = [];
let removeProvider = async () => {};
test.afterAll(async () => {
  await removeProvider();
  await closeAll(receivers);
});
test.beforeAll(async ({ browser }) => {
  removeProvider = await addProvider(browser);
  Object.assign(ids, await membersAndOrders());
  ids.resend = await resent(browser, receivers);
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  ids.executed = tx_id;
  ids.callback = (await onlyCallback(tx_id)).id;
  ids.partner = sandbox.partner.id;
  ids.pending = (await pendingQuote()).tx_id;
  ids.refused = String((await send(withHeader(draft(), `X-${BRAND}-Signature`, "0".repeat(64)))).headers["x-request-id"]);
});
const addressOf = (path: string) => path.replace(/:(\w+)$/, (_, name: string) => ids[name] ?? "");

/** Adds wider text spacing, as WCAG 1.4.12 has it. */
function spaceText(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }");
  document.adoptedStyleSheets.push(sheet);
}

const WIDTHS = [1280, 390] as const;
const NARROW = { width: 320, height: 640 };

test("every page of the console is sound and accessible: in light and dark, wide and on a phone; at 320 pixels with wide text nothing is cut off", async ({
  browser,
}) => {
  test.setTimeout(900_000);
  const titles: string[] = [];
  for (const role of new Set(PAGES.map(({ role }) => role))) {
    const page = await browserOf(browser, role);
    const troubles = watch(page);
    for (const { path, shows } of PAGES.filter((each) => each.role === role)) {
      await page.setViewportSize({ width: 1280, height: 844 });
      await open(page, addressOf(path));
      if (role === "approver" && !path.includes("?")) titles.push(await titleOfSound(page, path));
      if (shows) await expect(page.locator(shows).first()).toBeVisible();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        expect(await faultsInBothThemes(page), `${path}, ${width} wide`).toEqual([]);
        await expectNoSidewaysScroll(page, `${path}, ${width} wide,`);
      }
      if (role !== "approver") continue;
      await page.setViewportSize(NARROW);
      await page.evaluate(spaceText);
      await expectNoSidewaysScroll(page, `${path} at 320 pixels`);
    }
    expect(troubles).toEqual([]);
    await page.context().close();
  }
  expect(titles).not.toEqual([]);
  expect(new Set(titles).size).toBe(titles.length);
});

/** A whole dialog: axe's findings in it, and targets that are too small. */
async function expectFitDialog(page: Page, name: string): Promise<void> {
  await expectFit(page, name, "[role=dialog]");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

async function expectFit(page: Page, name: string, where: string): Promise<void> {
  const shown = page.locator(where);
  await expect(shown.locator("[aria-busy]")).toHaveCount(0);
  expect(await faultsInBothThemes(page, where), name).toEqual([]);
  const small = await shown.locator("button, input:not([aria-hidden=true]), select, textarea").evaluateAll((all) =>
    all
      // What a click on its label ticks is as large as the label.
      .map((each) => (each.matches("[type=checkbox], [type=radio]") ? (each.closest("label") ?? each) : each))
      .filter((each) => each.getBoundingClientRect().height < 24 || each.getBoundingClientRect().width < 24)
      .map((each) => each.outerHTML),
  );
  expect(small, name).toEqual([]);
}

test("dialogs are accessible in both themes, and every target is large enough", async ({ browser }) => {
  const page = await browserOf(browser, "approver");
  const heading = page.getByRole("dialog").locator("h2");
  await open(page, addressOf("/console/settlements/:pending"));
  for (const key of ["a", "r"]) {
    await page.keyboard.press(key);
    await expect(footOf(page)).toBeVisible();
    await expectFit(page, key, "[aria-label=Decision]");
    await page.keyboard.press("Escape");
    await expect(footOf(page)).toHaveCount(0);
  }
  await page.keyboard.press("?");
  await expect(heading).toBeFocused();
  await expectFitDialog(page, "?");
  await open(page, "/console/settlements");
  await page.keyboard.press("e");
  await expect(heading).toBeFocused();
  await expect(page.getByRole("dialog")).toContainText(/[\d,]+ rows?\./);
  await expectFitDialog(page, "export");
  await page.getByRole("button", { name: /^Filter/ }).click();
  await expect(heading).toBeFocused();
  await expectFitDialog(page, "filters");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search settlements, pages and commands" }).fill(ids.executed ?? "");
  await expect(page.getByRole("option").filter({ hasText: "Executed" })).toBeVisible();
  await expectFitDialog(page, "palette");
  await page.context().close();
});

test("in every list, the chosen filters are counted and named above the rows, and one click clears them", async ({ browser }) => {
  const page = await browserOf(browser, "approver");
  const drawer = page.getByRole("dialog");
  const held = page.getByRole("list", { name: "Filters", exact: true }).getByRole("button", { name: /^Remove the filter / });
  for (const list of [
    "settlements",
    "batches",
    "callbacks?tab=all",
    "fiat?tab=withdrawals",
    "members",
    "members/safes",
    "partners",
    "audit",
    "developers/log",
  ]) {
    await open(page, `/console/${list}`);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await expect(drawer.locator("h2")).toBeFocused();
    if (list.startsWith("callbacks"))
      await expect(drawer.getByLabel("Event").locator("option"), "any, and each event").toHaveCount(CALLBACK_EVENTS.length + 1);
    await drawer.locator("select").last().selectOption({ index: 1 });
    await drawer.getByRole("button", { name: /^Show / }).click();
    await expect(held, list).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Filter (1)" })).toBeVisible();
    await held.click();
    await expect(held, list).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Filter", exact: true })).toBeVisible();
  }
  await page.context().close();
});

test("`?` lists exactly the keys that do something where one is", async ({ browser }) => {
  const page = await browserOf(browser, "approver");
  const dialog = page.getByRole("dialog");
  const listed = async () => {
    await page.keyboard.press("?");
    await expect(dialog.locator("h2")).toBeFocused();
    const names = await dialog
      .locator("dt")
      .evaluateAll((all) => all.map((each) => [...each.children].map((key) => key.textContent).join(" ")));
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    return names.sort();
  };
  await open(page, "/console/account");
  const sections = await page
    .getByRole("navigation", { name: "Sections" })
    .getByRole("link")
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-keyshortcuts") ?? "none"));
  const everywhere = ["?", "Ctrl or ⌘ Enter", "Ctrl or ⌘ k", ...sections];
  expect(await listed()).toEqual(everywhere.toSorted());
  await open(page, "/console/settlements");
  const ofList = ["/", "e", "j", "k", "Escape"];
  expect(await listed()).toEqual([...everywhere, ...ofList].sort());
  await page.keyboard.press("j");
  await expect(page.locator("tbody tr[data-active]")).toHaveCount(1);
  const ofRow = ["Enter", "Space", "Ctrl or ⌘ Enter", "x", "."];
  expect(await listed()).toEqual([...everywhere, ...ofList, ...ofRow].sort());
  for (const [list, own] of [
    ["callbacks?tab=all", []],
    ["partners", ["/"]],
    ["audit", ["e"]],
    ["developers/log", []],
  ] as const) {
    await open(page, `/console/${list}`);
    await expect(page.getByRole("table").locator("tbody tr").first()).toBeVisible();
    expect(await listed(), list).toEqual([...everywhere, ...own, "j", "k"].sort());
    await page.keyboard.press("j");
    await expect(page.locator("tbody tr[data-active]"), list).toHaveCount(1);
    expect(await listed(), list).toEqual([...everywhere, ...own, "j", "k", "Enter"].sort());
  }
  await open(page, addressOf("/console/settlements/:pending"));
  expect(await listed()).toEqual([...everywhere, "a", "r", "t", "c", "l", "v"].sort());
  await open(page, addressOf("/console/settlements/:executed"));
  expect(await listed()).toEqual([...everywhere, "t", "c", "l", "v"].sort());
  await page.context().close();
});

test("single keys are silent while one types, and can be switched off; `?` lists what there is", async ({ browser }) => {
  const page = await browserOf(browser, "approver");
  await open(page, "/console/settlements");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("g a ?");
  await expect(page.getByRole("searchbox")).toHaveValue("g a ?");
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("Go to Approvals");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.waitForURL(`${BASE_URL}/console/approvals`);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitemradio", { name: "Off" }).click();
  await page.locator("h1").click();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(page.url()).toBe(`${BASE_URL}/console/approvals`);
  await page.context().close();
});
