import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { BASE_URL, sandbox } from "./running-sandbox.ts";

export type Role = keyof typeof sandbox.users;
/** Signs in by the form, as a person does. */
export async function signIn(page: Page, role: Role, next = "/console"): Promise<void> {
  const { email, password } = sandbox.users[role];
  await page.goto(`${BASE_URL}/console/sign-in${next === "/console" ? "" : `?next=${encodeURIComponent(next)}`}`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/console/sign-in"));
}

/**
 * A separate browser in which that user has just signed in, so that nothing asks for the password. Each has a session of its own: a step-up
 * in one of them ends the secret that a copy would have.
 */
export async function browserOf(browser: Browser, role: Role, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const { email, password } = sandbox.users[role];
  const { csrfToken } = await (await context.request.get(`${BASE_URL}/api/auth/csrf`)).json();
  const form = { email, password, csrfToken, json: "true" };
  const answer = await context.request.post(`${BASE_URL}/api/auth/callback/credentials`, { form, headers: { origin: BASE_URL } });
  expect(answer.status(), await answer.text()).toBe(200);
  return await context.newPage();
}

/** Opens a page of the console and waits until it is hydrated: later key presses and clicks work. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(BASE_URL + path);
  await expect(livePill(page)).toHaveText(/^(Live|⟦Łíṽé.*⟧)$/);
}

/** What must never happen on a page: a script error, a blocked resource, a request to another origin. */
export function watch(page: Page): string[] {
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    // The browser itself logs missing pages, and answers that are refusals.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) troubles.push(message.text());
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(BASE_URL).origin) troubles.push(`a request to ${request.url()}`);
  });
  return troubles;
}

/** Confirms in the dialog that it is that person. */
export async function prove(page: Page, role: Role): Promise<void> {
  const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
  await asked.getByLabel("Password").fill(sandbox.users[role].password);
  await asked.getByRole("button", { name: "Confirm" }).click();
}

/** The same where the session may or may not need a step-up: `done` then shows, after at most `timeout` milliseconds. */
export async function proveIfAsked(page: Page, role: Role, done: Locator, timeout = 30_000): Promise<void> {
  const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(asked.or(done).first()).toBeVisible({ timeout });
  if (await asked.isVisible()) await prove(page, role);
}

/** Repeats the step-up, so that for five minutes nothing asks for it. */
export async function stepUp(page: Page, role: Role): Promise<void> {
  const data = { proof: sandbox.users[role].password };
  const answer = await page.request.post(`${BASE_URL}/api/trpc/session.stepUp`, { data, headers: { origin: BASE_URL } });
  expect(answer.status()).toBe(200);
}

/** The page's heading with its state and actions. */
export function headerOf(page: Page): Locator {
  return page
    .getByRole("main")
    .locator("header")
    .filter({ has: page.locator("h1") });
}

/** Whether the page is live: "Live", "Reconnecting…". It is also there behind an open dialog. */
export function livePill(page: Page): Locator {
  const behind = { includeHidden: true };
  return page.getByRole("banner", behind).first().getByRole("status", behind);
}

/** The open dialog. */
export function dialogOf(page: Page): Locator {
  return page.getByRole("dialog");
}

/** Notes in passing: "Approved", "No answer came". */
export function notesOf(page: Page): Locator {
  return page.getByRole("region", { name: "Notifications" });
}

/** The panel of a decision: whom it is about, and everything that speaks for and against it. */
export function panelOf(page: Page): Locator {
  return page.getByRole("region", { name: "Decision", exact: true });
}

/** The button that opens an approval: in the queue's panel it names the amount, on a settlement's own page the amount is above it. */
export function approveOf(page: Page): Locator {
  return page.getByRole("button", { name: /^Approve( [\d,.]+ [A-Z]{3})?$/ });
}

/** The open decision at the foot of the panel. */
export function footOf(page: Page): Locator {
  return page.getByRole("form", { name: /^(Approve|Reject) settlement$/ });
}

/** Acknowledges each warning in the panel, one by one. */
export async function acknowledge(page: Page): Promise<void> {
  const warnings = panelOf(page).getByRole("list", { name: "Warnings" });
  await expect(warnings.or(panelOf(page).getByText(/^Checked, nothing found:/)).first()).toBeVisible();
  for (const box of await warnings.getByRole("checkbox").all()) await box.check();
}
