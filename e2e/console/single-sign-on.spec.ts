import { randomBytes } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { startForger } from "#testing/identity-forger.ts";
import { CLIENT, type RealProvider, startProvider } from "#testing/identity-provider.ts";
import { faultsOf } from "../support/accessibility.ts";
import { dialogOf, open } from "../support/console.ts";
import { addPasskey, enterByPasskey, withDevice } from "../support/passkeys.ts";
import { operatorClient } from "../support/patient.ts";
import { call, enter, fillIn, newPerson } from "../support/people.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";

/** A company's own identity provider: oidc-provider on this machine. */

let provider: RealProvider;
test.beforeAll(async () => {
  provider = await startProvider();
});
test.afterAll(() => provider.close());

async function newCompany(): Promise<{ id: string; slug: string }> {
  const slug = `company-${randomBytes(5).toString("hex")}`;
  const operator = operatorClient(BASE_URL, sandbox.operator);
  const answer = await operator.call("POST", "/partners", { name: slug, slug, roles: ["AGGREGATOR"], charge_fee_percentage: 1 });
  expect(answer.status, answer.text).toBe(201);
  return { id: String(JSON.parse(answer.text).id), slug };
}

const shown = async (page: Page, label: string) =>
  (
    await page
      .getByRole("definition")
      .and(page.locator(`dt:text-is("${label}") + dd`))
      .textContent()
  )?.trim() ?? "";

test("an owner sets up single sign-on, people sign in with the role of their group, and only two passkeys get past it, which alarms", async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const { id, slug } = await newCompany();
  const [owner, second] = [await newPerson(browser, "owner", id), await newPerson(browser, "owner", id)];
  const third = await newPerson(browser, "staff", id);
  const other = await (await browser.newContext()).newPage();
  for (const [each, { email }] of [
    [page, owner],
    [other, second],
  ] as const) {
    await withDevice(each);
    await enter(each, email);
    await addPasskey(each, "Story laptop");
  }

  await open(page, "/console/single-sign-on");
  await page.getByRole("button", { name: "Add a provider" }).click();
  const form = dialogOf(page);
  await form.getByLabel("Name", { exact: true }).fill("Example");
  await form.getByLabel("Short name").fill(slug);
  await form.getByLabel("Issuer").fill(provider.issuer);
  await form.getByLabel("Client id").fill(CLIENT.id);
  await form.getByLabel("Client secret").fill(CLIENT.secret);
  await form.getByLabel("Roles by group").fill("desk = staff\nbosses = owner");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Example" })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  provider.register({ redirectUri: await shown(page, "Redirect address"), signOutUri: await shown(page, "Back-channel sign-out address") });
  const signInPage = await shown(page, "Sign-in page");

  provider.accounts.set("grace", { name: "Grace", email: `grace@${slug}.example`, groups: ["desk"] });
  const grace = await (await browser.newContext()).newPage();
  const asGrace = async () => {
    await grace.goto(signInPage);
    await grace.getByRole("link", { name: "Continue with Example" }).click();
    await grace.getByLabel("Account").fill("grace");
    await grace.getByRole("button", { name: "Go on" }).click();
    await grace.waitForURL(`${BASE_URL}/console`);
  };
  await asGrace();
  await open(grace, "/console/account");
  await expect(grace.getByRole("main")).toContainText(`grace@${slug}.example`);
  await expect(grace.getByRole("main")).toContainText(`${slug}, staff`);
  await expect(grace.getByRole("table", { name: "Company sign-in" }).getByRole("row").filter({ hasText: "Example" })).toHaveCount(1);

  await page.getByRole("button", { name: "Change", exact: true }).click();
  await form.getByLabel("People may use passwords").selectOption("yes");
  await form.getByLabel("Person 1 who keeps a passkey").selectOption({ label: owner.name });
  await form.getByLabel("Person 2 who keeps a passkey").selectOption({ label: second.name });
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByText("Off, except for two people with a passkey")).toBeVisible();
  const shutOut = await (await browser.newContext()).newPage();
  await fillIn(shutOut, third.email);
  await expect(shutOut.getByRole("alert").filter({ hasText: "Your company signs in with its own identity." })).toBeVisible();

  // The provider is gone.
  await page.context().clearCookies();
  await enterByPasskey(page, owner.email);
  await page.waitForURL(`${BASE_URL}/console`);
  await open(other, "/console/notifications");
  await expect(other.getByRole("main")).toContainText("Somebody signed in past the company's identity provider");

  // Signed out there, she is out here by the time she reads it.
  await grace.goto(`${provider.issuer}/session/end`);
  await grace.getByRole("button", { name: /Yes/ }).click();
  await expect(grace.getByText(/signed out|Sign-out Success/i).first()).toBeVisible();
  await grace.goto(`${BASE_URL}/console`);
  await expect(grace).toHaveURL(/\/console\/sign-in/);
  for (const each of [other, grace, shutOut]) await each.context().close();
});

test("an answer of a provider with the wrong nonce is refused with one public sentence, and its reason is in the audit log", async ({
  page,
  browser,
}) => {
  const forger = await startForger();
  const { id, slug } = await newCompany();
  const owner = await newPerson(browser, "owner", id);
  await enter(page, owner.email);
  const roles = [{ group: "all", role: "staff" }];
  const given = { name: "Forge", issuer: forger.issuer, client_id: "console", groups_claim: "groups", roles };
  const saved = await call(page, "identity.save", { slug, settings: { ...given, demanded_acr: null, is_duty: false, keeper_ids: [] } });
  expect(saved.status()).toBe(200);
  const providerId: string = (await saved.json()).result.data.id;

  const stranger = await (await browser.newContext()).newPage();
  /** Signs in as the provider's answer says. */
  const signIn = async (nonceOf: (asked: string) => string) => {
    const asked = await stranger.request.get(`${BASE_URL}/api/oidc/start/${providerId}`, { maxRedirects: 0 });
    const { searchParams } = new URL(asked.headers().location ?? "");
    const code = randomBytes(8).toString("hex");
    const who = { sub: "mallory", email: `mallory@${slug}.example`, email_verified: true, name: "Mallory", groups: ["all"] };
    const nonce = nonceOf(searchParams.get("nonce") ?? "");
    forger.give(code, await forger.tokenFor({ ...who, aud: "console", nonce }));
    const answer = new URLSearchParams({ code, state: searchParams.get("state") ?? "", iss: forger.issuer });
    await stranger.goto(`${BASE_URL}/api/oidc/callback/${providerId}?${answer}`);
  };
  await signIn(() => "another");
  await expect(stranger).toHaveURL(/\/console\/sign-in\?error=provider_refused$/);
  await expect(stranger.getByRole("alert").filter({ hasText: "The sign-in with your company's identity was refused." })).toBeVisible();
  await expect(stranger.getByRole("main")).not.toContainText("nonce");
  await open(page, "/console/audit?action=identity.refused");
  const row = page.getByRole("row").filter({ hasText: "refused an answer of an identity provider" });
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: /^Details/ }).click();
  await expect(page.getByRole("dialog")).toContainText("nonce");
  expect(await faultsOf(page)).toEqual([]);
  // The same answer with the right one gets in: nothing but the nonce was wrong.
  await signIn((asked) => asked);
  await expect(stranger).toHaveURL(`${BASE_URL}/console`);
  await stranger.context().close();
  await forger.close();
});
