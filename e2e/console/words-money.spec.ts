import { expect, type Locator, type Page, test } from "@playwright/test";
import { BRAND } from "#sandbox/client/signing.ts";
import { browserOf, dialogOf, open, type Role } from "../support/console.ts";
import { addProvider } from "../support/identity.ts";
import { membersAndOrders } from "../support/orders.ts";
import { call, newAddress } from "../support/people.ts";
import { BASE_URL, chain, sandbox } from "../support/running-sandbox.ts";
import { draft, send, withHeader } from "../support/signed.ts";
import { foundIn, PHONE, said, settled, WIDE } from "../support/words.ts";

/** In the pseudo-language: money, network, developers, people and account, and the pages before the sign-in. */

/** A screen; `opens`: what is opened upon it, one after the other. */
type Screen = { path: string; role: Role; opens?: (page: Page) => Promise<void> };

const press = (within: Page | Locator, text: string) =>
  within
    .getByRole("button", { name: said(text) })
    .first()
    .click();
const dialog = async (page: Page) => expect(dialogOf(page).first()).toBeVisible();
const pressing = (text: string) => async (page: Page) => {
  await press(page, text);
  await dialog(page);
};
const ofMenu = (menu: string, item: string) => async (page: Page) => {
  await press(page, menu);
  await page.getByRole("menuitem", { name: said(item) }).click();
  await dialog(page);
};
const folded = async (page: Page) => {
  for (const summary of await page.getByRole("main").locator("summary").all()) if (await summary.isVisible()) await summary.click();
};

const SCREENS: readonly Screen[] = [
  { path: "/console/account", role: "admin", opens: folded },
  { path: "/console/account", role: "owner", opens: async (page) => press(page, "Add a passkey") },
  { path: "/console/developers/keys", role: "owner", opens: folded },
  { path: "/console/developers/keys", role: "owner", opens: pressing("Create key") },
  { path: "/console/developers/keys", role: "owner", opens: pressing("Rotate secret") },
  { path: "/console/developers/keys", role: "owner", opens: ofMenu("Actions for the key", "Revoke") },
  { path: "/console/developers/keys", role: "owner", opens: ofMenu("Actions for the key", "Rotate") },
  { path: "/console/developers/keys", role: "admin" },
  { path: "/console/developers/log", role: "owner", opens: folded },
  { path: "/console/developers/log", role: "owner", opens: pressing("Filter") },
  { path: "/console/developers/log", role: "admin" },
  { path: "/console/developers/log/:refused", role: "owner", opens: folded },
  { path: "/console/developers/log/:made", role: "owner" },
  { path: "/console/developers/receiver-check", role: "owner" },
  { path: "/console/developers/go-live", role: "owner" },
  {
    path: "/console/developers/callback-tester",
    role: "owner",
    opens: async (page) => {
      await page.getByRole("textbox").fill("http://127.0.0.1:9/nobody");
      await press(page, "Send sample");
      await expect(page.getByRole("region", { name: said("Result ") })).toBeVisible();
    },
  },
  { path: "/console/fiat", role: "admin" },
  { path: "/console/fiat", role: "owner" },
  { path: "/console/fiat?tab=withdrawals", role: "owner" },
  { path: "/console/fiat?tab=withdrawals", role: "admin", opens: pressing("Filter") },
  { path: "/console/fiat?tab=topups", role: "admin" },
  { path: "/console/fiat?tab=withdrawals&new=withdrawal", role: "owner", opens: dialog },
  { path: "/console/fiat?tab=topups&new=topup", role: "owner", opens: dialog },
  { path: "/console/fiat/withdrawals/:withdrawal", role: "admin" },
  { path: "/console/fiat/withdrawals/:withdrawal", role: "owner" },
  { path: "/console/fiat/topups/:topup", role: "owner" },
  { path: "/console/members", role: "admin" },
  { path: "/console/members", role: "owner", opens: pressing("New member") },
  { path: "/console/members?q=nobody-has-this", role: "owner" },
  { path: "/console/members/:member", role: "owner" },
  { path: "/console/members/:member", role: "owner", opens: pressing("Edit") },
  { path: "/console/members/:withSafe", role: "admin" },
  { path: "/console/members/safes", role: "admin" },
  { path: "/console/members/safes", role: "admin", opens: pressing("Deploy") },
  { path: "/console/partners", role: "admin" },
  { path: "/console/partners/new", role: "admin" },
  { path: "/console/partners/:partner", role: "admin" },
  { path: "/console/partners/:partner?tab=keys", role: "admin" },
  { path: "/console/partners/:partner?tab=terms", role: "admin" },
  { path: "/console/partners/:partner?tab=account", role: "admin" },
  { path: "/console/partners/:partner?tab=account", role: "admin", opens: pressing("Book a payment…") },
  { path: "/console/partners/bank-file", role: "admin" },
  { path: "/console/partners/:partner?tab=people", role: "admin" },
  { path: "/console/partners/:partner", role: "admin", opens: pressing("Change fee") },
  { path: "/console/partners/:partner", role: "admin", opens: pressing("Suspend") },
  { path: "/console/people", role: "admin" },
  { path: "/console/people", role: "admin", opens: pressing("Invite") },
  { path: "/console/people", role: "admin", opens: ofMenu("Actions on", "Change role") },
  { path: "/console/team", role: "owner" },
  { path: "/console/single-sign-on", role: "admin", opens: pressing("Add a provider") },
  { path: "/console/single-sign-on", role: "owner" },
  { path: "/console/single-sign-on", role: "owner", opens: pressing("Remove") },
  { path: "/console/rates", role: "admin" },
  { path: "/console/rates", role: "owner" },
  { path: "/console/rates?pair=:pair", role: "admin", opens: dialog },
  {
    path: "/console/rates?pair=:pair",
    role: "admin",
    opens: async (page) => page.getByRole("tab", { name: said("Partners") }).click(),
  },
  {
    path: "/console/rates?pair=:pair",
    role: "admin",
    opens: async (page) => page.getByRole("tab", { name: said("History") }).click(),
  },
  { path: "/console/settings", role: "admin" },
  { path: "/console/treasury", role: "admin" },
  { path: "/console/treasury", role: "admin", opens: pressing("Top up") },
  { path: "/console/treasury", role: "admin", opens: pressing("Halt the chain") },
  { path: "/console/treasury", role: "admin", opens: ofMenu("State of wallet", "Drain it") },
  { path: "/console/treasury?tab=limits", role: "admin" },
  { path: "/console/treasury?tab=limits", role: "admin", opens: pressing("New limit") },
  { path: "/console/treasury?tab=limits", role: "admin", opens: pressing("Stop everything") },
  { path: "/console/treasury?tab=books", role: "admin" },
  { path: "/console/no-such-page", role: "owner" },
];

const ids: Record<string, string> = {};
let removeProvider = async () => {};
test.afterAll(() => removeProvider());
test.beforeAll(async ({ browser }) => {
  removeProvider = await addProvider(browser);
  Object.assign(ids, await membersAndOrders());
  ids.partner = sandbox.partner.id;
  ids.pair = encodeURIComponent(`KES/USDT/${chain.chain}`);
  ids.made = String((await send(draft())).headers["x-request-id"]);
  ids.refused = String((await send(withHeader(draft(), `X-${BRAND}-Signature`, "0".repeat(64)))).headers["x-request-id"]);
});
const addressOf = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? "");

async function inPseudo(page: Page): Promise<Page> {
  await page.context().addCookies([{ name: "language", value: "pseudo", url: BASE_URL }]);
  return page;
}

test("no string of half of the screens is left out of the words files, and longer words fit, wide and on a phone", async ({ browser }) => {
  test.setTimeout(600_000);
  const found = new Map<string, string[]>();
  for (const role of new Set(SCREENS.map((each) => each.role))) {
    const page = await inPseudo(await browserOf(browser, role));
    for (const { path, opens } of SCREENS.filter((each) => each.role === role)) {
      await page.setViewportSize(WIDE);
      await open(page, addressOf(path));
      await settled(page);
      await opens?.(page);
      for (const each of await foundIn(page, [WIDE, PHONE]))
        found.set(each, [...(found.get(each) ?? []), `${role} ${path}${opens ? ", with what opens" : ""}`]);
    }
    await page.context().close();
  }
  expect(Object.fromEntries(found)).toEqual({});
});

test("nor any of the pages before the sign-in", async ({ browser }) => {
  const admin = await browserOf(browser, "admin");
  await open(admin, "/console/people");
  const invited = await call(admin, "people.invite", { email: newAddress(), role: "approver", partner_id: null });
  const link: string = (await invited.json()).result.data.link;
  await admin.context().close();
  const page = await inPseudo(await browser.newPage());
  await page.goto(`${BASE_URL}/console/runbooks/worker-down`);
  await expect(page.getByRole("link", { name: said("All runbooks") })).toBeVisible();
  expect(await foundIn(page, [WIDE, PHONE])).toEqual([]);
  for (const path of ["/console/sign-in", "/console/invitation/of-nobody", new URL(link).pathname]) {
    await page.goto(BASE_URL + path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^⟦/);
    expect(await foundIn(page, [WIDE, PHONE]), path).toEqual([]);
  }
  await page.context().close();
});
