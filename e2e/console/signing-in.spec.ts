import { expect, test } from "@playwright/test";
import { expectNoSidewaysScroll, faultsInBothThemes } from "../support/accessibility.ts";
import { browserOf, open, signIn } from "../support/console.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";

/** Who may see the console at all, and for how long. */

test("a stranger is sent to sign in, comes back to the page that was asked for, and never to another origin", async ({ page }) => {
  await page.goto(`${BASE_URL}/console/settlements?view=failed`);
  expect(new URL(page.url()).pathname).toBe("/console/sign-in");
  expect(new URL(page.url()).searchParams.get("next")).toBe("/console/settlements?view=failed");
  await signIn(page, "viewer", "/console/settlements?view=failed");
  expect(page.url()).toBe(`${BASE_URL}/console/settlements?view=failed`);
  for (const elsewhere of ["https://evil.example/console", "//evil.example/console", "/\\evil.example", "/docs", "/console/../docs"]) {
    await page.goto(`${BASE_URL}/console/sign-in?next=${encodeURIComponent(elsewhere)}`);
    await page.waitForURL((url) => !url.pathname.includes("sign-in"));
    expect(new URL(page.url()).origin).toBe(BASE_URL);
    expect(new URL(page.url()).pathname).toMatch(/^\/console/);
  }
});

test("a wrong password says so where it was typed, and the cookie of a right one is out of reach of scripts", async ({ page }) => {
  await page.goto(`${BASE_URL}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(sandbox.users.viewer.email);
  await page.getByLabel("Password").fill("not this one at all");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.locator("form").getByRole("alert")).toContainText("is wrong");
  await expect(page.getByLabel("Password")).toBeFocused();
  expect(page.url()).not.toContain("password");
  await signIn(page, "viewer");
  const session = (await page.context().cookies()).find(({ name }) => name.endsWith(".session"));
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect(await page.evaluate(() => document.cookie)).not.toContain("session");
});

test("signing out ends the session at once, also for a copy of its cookie", async ({ page, browser }) => {
  await signIn(page, "viewer");
  const copy = await browser.newContext({ storageState: await page.context().storageState() });
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/console/sign-in");
  const stolen = await copy.newPage();
  await stolen.goto(`${BASE_URL}/console/settlements`);
  expect(new URL(stolen.url()).pathname).toBe("/console/sign-in");
  await copy.close();
});

test("a session is listed with its browser, and ended from another one it ends with its very next call", async ({ page, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await signIn(other, "staff");
  await signIn(page, "staff");
  await open(page, "/console/account");
  const rows = page.getByRole("table").getByRole("row").filter({ hasText: "Chrome" });
  await expect(rows.filter({ hasText: "this one" })).toHaveCount(1);
  const ended = page.waitForResponse((response) => response.url().includes("session.end"));
  await rows.filter({ hasNotText: "this one" }).getByRole("button", { name: "End" }).first().click();
  expect((await ended).status()).toBe(200);
  await other.goto(`${BASE_URL}/console/settlements`);
  expect(new URL(other.url()).pathname).toBe("/console/sign-in");
  await other.context().close();
});

test("no call is answered without a session, for another origin's page, or to a role that may not", async ({ browser, request }) => {
  const call = (path: string, headers: Record<string, string> = {}) => request.get(`${BASE_URL}/api/trpc/${path}`, { headers });
  for (const path of ["session.me", "settlements.list", "settlements.tiles", "approvals.list"]) {
    const answer = await call(`${path}?input=${encodeURIComponent("{}")}`);
    expect(answer.status(), path).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { data: { refusal: { code: "invalid_token" } } } });
  }
  const staff = await browserOf(browser, "staff");
  const viewer = await browserOf(browser, "viewer");
  const input = { tx_id: "tx_00000000000000000000000000", reason: "no reason at all" };
  const reject = (page: typeof staff, origin: string | null) =>
    page.request.post(`${BASE_URL}/api/trpc/approvals.reject`, { data: input, headers: origin === null ? {} : { origin } });
  expect((await reject(viewer, "https://evil.example")).status()).toBe(403);
  expect((await reject(viewer, null)).status()).toBe(403);
  expect((await reject(viewer, BASE_URL)).status()).toBe(403);
  expect((await reject(staff, BASE_URL)).status()).toBe(404);
  expect((await staff.request.get(`${BASE_URL}/api/trpc/approvals.list`)).status()).toBe(404);
  expect((await staff.goto(`${BASE_URL}/console/approvals`))?.status()).toBe(404);
  await staff.context().close();
  await viewer.context().close();
});

test("the pages before the sign-in are accessible on a phone, and say what to do", async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 320, height: 640 } })).newPage();
  const runbooks = ["/console/runbooks", "/console/runbooks/halts", "/console/runbooks/failover"];
  for (const path of [...runbooks, "/console/sign-in", `/console/invitation/inv_${"A".repeat(43)}`, "/console/invitation/nonsense"]) {
    await page.goto(BASE_URL + path);
    await expect(page.locator("h1")).toHaveCount(1);
    expect(await faultsInBothThemes(page), path).toEqual([]);
    await expectNoSidewaysScroll(page, path);
  }
  await expect(page.locator("h1")).toHaveText("This link does not work");
  await page.context().close();
});
