import { type Browser, expect, type Page } from "@playwright/test";
import { totpCode } from "#domain/totp.ts";
import { browserOf, stepUp } from "./console.ts";
import { BASE_URL } from "./running-sandbox.ts";

/** People of a story's own: whose password, second factor and role it may change without harm to the other stories. */

export const PASSWORD = "vellum-otter-92-quay";
let made = 0;
const born = Date.now().toString(36);

/** An address that nobody has. */
export function newAddress(): string {
  made += 1;
  return `story-${born}-${made}@example.com`;
}

/** Calls a procedure as the page's person. */
export async function call(page: Page, procedure: string, input: unknown = {}) {
  return await page.request.post(`${BASE_URL}/api/trpc/${procedure}`, { data: input, headers: { origin: BASE_URL } });
}

/** A new user with {@link PASSWORD}, by an admin's invitation. */
export async function newPerson(browser: Browser, role: string, partnerId: string | null = null): Promise<{ email: string; name: string }> {
  const admin = await browserOf(browser, "admin");
  await stepUp(admin, "admin");
  const email = newAddress();
  const name = `Story ${made} of ${born}`;
  const invited = await call(admin, "people.invite", { email, role, partner_id: partnerId });
  expect(invited.status()).toBe(200);
  const link: string = (await invited.json()).result.data.link;
  const accepted = await call(admin, "people.accept", { token: link.split("/").at(-1), name, password: PASSWORD });
  expect(accepted.status()).toBe(200);
  await admin.context().close();
  return { email, name };
}

/** Fills in the sign-in's form and submits it; the code only on request. */
export async function fillIn(page: Page, email: string, otp?: string): Promise<void> {
  await page.goto(`${BASE_URL}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  if (otp === undefined) return;
  await expect(page.getByLabel("One-time code")).toBeFocused();
  await page.getByLabel("One-time code").fill(otp);
  await page.keyboard.press("Enter");
}

/** Signs in by the form. */
export async function enter(page: Page, email: string, otp?: string): Promise<void> {
  await fillIn(page, email, otp);
  await page.waitForURL((url) => !url.pathname.startsWith("/console/sign-in"));
}

/** The code of a later half minute, for a secret as it is shown to users. */
export function codeOf(secret: string, halfMinutes = 0): string {
  const bits = [...secret].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  return totpCode(bytes, Math.floor(Date.now() / 30_000) + halfMinutes);
}
