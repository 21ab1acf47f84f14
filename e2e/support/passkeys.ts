import { type CDPSession, expect, type Page } from "@playwright/test";
import { open } from "./console.ts";
import { PASSWORD } from "./people.ts";
import { BASE_URL } from "./running-sandbox.ts";

/** A device in the page's browser, which Chromium itself plays: what it signs is signed for real. */
export async function withDevice(page: Page): Promise<{ cdp: CDPSession; device: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, automaticPresenceSimulation: true },
  });
  return { cdp, device: authenticatorId };
}

/** Adds the first one under Account, and takes the recovery codes. */
export async function addPasskey(page: Page, name: string): Promise<void> {
  await open(page, "/console/account");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill(name);
  await page.getByRole("button", { name: "Create the passkey" }).click();
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  const saved = page.waitForEvent("download");
  await codes.getByRole("button", { name: "Download" }).click();
  await saved;
  await codes.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("table", { name: "Your passkeys" }).getByRole("row").filter({ hasText: name })).toHaveCount(1);
}

/** Fills in password and address, and answers the following challenge with the passkey. */
export async function enterByPasskey(page: Page, email: string): Promise<void> {
  await page.goto(`${BASE_URL}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
}
