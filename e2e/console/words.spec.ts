import { expect, type Page, test } from "@playwright/test";
import { rejectSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import { read } from "../support/answers.ts";
import { operator } from "../support/client.ts";
import { browserOf, dialogOf, open, type Role, stepUp } from "../support/console.ts";
import { closeAll, type StoryReceiver } from "../support/receiver.ts";
import { resent } from "../support/resends.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import { confirm, ended, onlyCallback, pendingQuote, quote } from "../support/settlements.ts";
import { foundIn, leftOutOf, PHONE, said, settled, tightPartsOf, WIDE } from "../support/words.ts";

/** In the pseudo-language: every string comes from its screen's words, and longer texts fit. */

/** A screen; `opens`: what is opened on it; `wide`: only where there is space for it. */
type Screen = { path: string; role: Role; opens?: (page: Page) => Promise<void>; wide?: true };

const key = (name: string) => async (page: Page) => {
  await page.keyboard.press(name);
  await expect(dialogOf(page).locator("h2").first()).toBeFocused();
};
const deciding = (name: "a" | "r") => async (page: Page) => {
  await page.keyboard.press(name);
  await expect(page.locator("#review-heading")).toBeFocused();
};
const filters = async (page: Page) => {
  await page
    .getByRole("button", { name: /^⟦Ƒíłŧéŕ/ })
    .first()
    .click();
  await expect(dialogOf(page).locator("h2").first()).toBeFocused();
};
const menu = (name: RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await expect(page.getByRole("menu")).toBeVisible();
};
/** What the marked row of a list offers by that key. */
const ofRow = (name: string, shows: "menu" | "dialog" | "table") => async (page: Page) => {
  await expect(page.getByRole("table").first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press(name);
  await expect(page.getByRole(shows).first()).toBeVisible();
};
const printed = async (page: Page) => page.emulateMedia({ media: "print" });
const palette = async (page: Page) => {
  await page.keyboard.press("ControlOrMeta+k");
  await expect(dialogOf(page).getByRole("combobox")).toBeFocused();
};

/** The chosen one of the queue as the only one selected, in the panel that approves many; what is unusual about it is accepted. */
const inBulk = async (page: Page) => {
  await page.keyboard.press("x");
  await page.getByRole("button", { name: said("Approve selected") }).click();
  await page.getByRole("checkbox", { name: said("Warnings read: include it") }).check();
};
/** The same, executed; `meanwhile`: what somebody else does between the click and the answer. */
const doneInBulk = (meanwhile?: () => Promise<void>) => async (page: Page) => {
  await stepUp(page, "approver");
  await inBulk(page);
  await page.route("**/api/trpc/approvals.approveMany*", async (route) => {
    await meanwhile?.();
    await route.continue();
  });
  await page.getByRole("button", { name: said("Approve 1 settlement") }).click();
  await expect(page.getByRole("list", { name: said("Results") })).toBeVisible();
  await page.unroute("**/api/trpc/approvals.approveMany*");
};
const rejected = async () => {
  const body = { reason: "Somebody else was faster" };
  read(rejectSettlementOperation, await operator.call("POST", `/admins/settlements/${ids.overtaken}/reject`, body));
};

/** Every screen whose words are in their place. Anyone who adds a screen adds it here. */
const SCREENS: readonly Screen[] = [
  { path: "/console/callbacks/resends/:resend", role: "approver" },
  { path: "/console/callbacks/resends/:resend", role: "staff" },
  { path: "/console?range=30d&figures=all", role: "approver" },
  { path: "/console?range=30d&figures=all", role: "staff" },
  { path: "/console/approvals", role: "approver" },
  { path: "/console/approvals?tab=second", role: "approver" },
  { path: "/console/approvals?tab=decided", role: "approver" },
  { path: "/console/approvals?tab=lapsed", role: "approver" },
  { path: "/console/approvals", role: "approver", opens: deciding("a") },
  { path: "/console/approvals", role: "approver", opens: deciding("r") },
  { path: "/console/approvals?tx=:pending", role: "approver", opens: inBulk, wide: true },
  { path: "/console/approvals?tx=:bulk", role: "approver", opens: doneInBulk(), wide: true },
  { path: "/console/approvals?tx=:overtaken", role: "approver", opens: doneInBulk(rejected), wide: true },
  { path: "/console/batches", role: "approver" },
  { path: "/console/batches/new", role: "owner" },
  { path: "/console/settlements", role: "approver" },
  { path: "/console/settlements", role: "staff" },
  { path: "/console/settlements?view=failed&merchant=nobody", role: "approver" },
  { path: "/console/settlements?peek=:executed", role: "approver" },
  { path: "/console/settlements", role: "approver", opens: key("e") },
  { path: "/console/settlements", role: "approver", opens: filters },
  { path: "/console/settlements", role: "approver", opens: key("?") },
  { path: "/console/settlements", role: "approver", opens: palette },
  { path: "/console/settlements", role: "approver", opens: menu(/^⟦Ṽíéŵš/) },
  { path: "/console/settlements", role: "approver", opens: menu(/^⟦Áççóúñŧ/) },
  { path: "/console/settlements", role: "staff", opens: menu(/^⟦Áççóúñŧ/) },
  { path: "/console/settlements", role: "approver", opens: menu(/^⟦Ñóŧíƒíçáŧíóñš/) },
  { path: "/console/settlements", role: "approver", opens: ofRow("x", "table"), wide: true },
  { path: "/console/settlements", role: "approver", opens: ofRow(".", "menu"), wide: true },
  { path: "/console/settlements/:executed", role: "approver" },
  { path: "/console/settlements/:executed", role: "staff" },
  { path: "/console/settlements/:executed", role: "staff", opens: printed },
  { path: "/console/settlements/:executed", role: "staff", opens: key("~") },
  { path: "/console/settlements/:pending", role: "approver" },
  { path: "/console/settlements/:pending", role: "approver", opens: deciding("a") },
  { path: "/console/callbacks", role: "approver" },
  { path: "/console/callbacks?tab=all", role: "approver" },
  { path: "/console/callbacks?tab=all", role: "approver", opens: filters },
  { path: "/console/callbacks?tab=retrying", role: "staff" },
  { path: "/console/callbacks?tab=endpoints", role: "approver" },
  { path: "/console/callbacks?tab=endpoints", role: "staff" },
  { path: "/console/callbacks/:callback", role: "approver" },
  { path: "/console/policy", role: "approver" },
  { path: "/console/proposals", role: "approver" },
  { path: "/console/queue", role: "approver" },
  { path: "/console/incidents", role: "approver" },
  { path: "/console/statements", role: "owner" },
  { path: "/console/notifications", role: "approver" },
  { path: "/console/notifications", role: "staff" },
  { path: "/console/audit", role: "approver" },
  { path: "/console/audit", role: "approver", opens: filters },
  { path: "/console/audit", role: "approver", opens: ofRow("Enter", "dialog"), wide: true },
  { path: "/console/audit", role: "staff" },
];

const ids: Record<string, string> = {};
const receivers: StoryReceiver[] = [];
test.afterAll(() => closeAll(receivers));
test.beforeAll(async ({ browser }) => {
  ids.resend = await resent(browser, receivers);
  const { tx_id } = await quote();
  await confirm(tx_id);
  await ended(tx_id);
  ids.executed = tx_id;
  ids.callback = (await onlyCallback(tx_id)).id;
  for (const name of ["pending", "bulk", "overtaken"]) ids[name] = (await pendingQuote()).tx_id;
});
const addressOf = (path: string) => path.replace(/:(\w+)$/, (_, name: string) => ids[name] ?? "");

test("no string is left out of the words files, and longer words fit, wide and on a phone", async ({ browser }) => {
  test.setTimeout(600_000);
  const found = new Map<string, string[]>();
  for (const role of new Set(SCREENS.map((each) => each.role))) {
    const page = await browserOf(browser, role);
    await page.context().addCookies([{ name: "language", value: "pseudo", url: BASE_URL }]);
    for (const { path, opens, wide } of SCREENS.filter((each) => each.role === role)) {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ media: null });
      await open(page, addressOf(path));
      await settled(page);
      await opens?.(page);
      for (const each of await foundIn(page, wide ? [WIDE] : [WIDE, PHONE]))
        found.set(each, [...(found.get(each) ?? []), `${role} ${path}${opens ? ", with what opens" : ""}`]);
    }
    await page.context().close();
  }
  expect(Object.fromEntries(found)).toEqual({});
});

test("a string that is left out is found, and so is a layout that breaks", async ({ browser }) => {
  const page = await browserOf(browser, "approver");
  await page.context().addCookies([{ name: "language", value: "pseudo", url: BASE_URL }]);
  await open(page, "/console/audit");
  await settled(page);
  await page.getByRole("main").evaluate((main) => {
    main.insertAdjacentHTML("beforeend", `<p aria-label="A name left out">A text left out <b translate="no">told</b></p>`);
    const tight = document.createElement("button");
    tight.textContent = "⟦łóńğéŕ⟧".repeat(20);
    tight.style.cssText = "width: 40px; white-space: nowrap; overflow: hidden";
    main.append(tight);
  });
  expect(await leftOutOf(page)).toEqual(["text: A text left out", "aria-label: A name left out"]);
  expect((await tightPartsOf(page)).map((each) => each.slice(0, 7))).toEqual(["cut off"]);
  await page.context().close();
});
