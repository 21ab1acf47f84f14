import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { faultsOf } from "../support/accessibility.ts";
import { acknowledge, approveOf, browserOf, dialogOf, footOf, open, stepUp, watch } from "../support/console.ts";
import { addPasskey, enterByPasskey, withDevice } from "../support/passkeys.ts";
import { call, enter, newPerson } from "../support/people.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import { find, QUIET_URL, quote } from "../support/settlements.ts";

/** Passkeys, in a device that Chromium itself plays: what it signs is signed for real. */

test("a passkey is added, signs in, approves where it is asked who it is, and proves nothing once it is removed", async ({
  page,
  browser,
}) => {
  const { email } = await newPerson(browser, "approver");
  const troubles = watch(page);
  const { cdp, device } = await withDevice(page);
  await enter(page, email);
  await addPasskey(page, "Story laptop");
  expect((await cdp.send("WebAuthn.getCredentials", { authenticatorId: device })).credentials).toHaveLength(1);
  expect(await faultsOf(page)).toEqual([]);

  await page.context().clearCookies();
  await enterByPasskey(page, email);
  await page.waitForURL((url) => url.pathname === "/console");

  // Whether five minutes are over is a test of the service; here the first answer is what it would be then.
  let asked = 0;
  await page.route("**/api/trpc/approvals.approve", async (route) => {
    asked += 1;
    if (asked > 1) return await route.continue();
    const refusal = { code: "step_up_required", title: "", status: 403, detail: "", request_id: null, errors: [], members: {} };
    await route.fulfill({ status: 403, json: { error: { message: "", code: -32_003, data: { refusal } } } });
  });
  const merchant = `passkey-${Date.now()}`;
  const { tx_id } = await quote({ source_amount: 250_000_000, external_merchant_id: merchant, callback_url: QUIET_URL });
  await open(page, `/console/approvals?tx=${tx_id}`);
  await page.getByRole("listitem").getByRole("button").filter({ hasText: merchant }).click();
  await acknowledge(page);
  await approveOf(page).click();
  await footOf(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
  await proof.getByRole("button", { name: "Use a passkey" }).click();
  await expect.poll(async () => (await find(tx_id)).approval_state, { timeout: 30_000 }).toBe("approved");
  expect(asked).toBe(2);

  await open(page, "/console/account");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill("The same again");
  await page.getByRole("button", { name: "Create the passkey" }).click();
  await expect(page.getByText("This device already has a passkey of yours.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("table", { name: "Your passkeys" }).getByRole("button", { name: "Rename" }).click();
  await dialogOf(page).getByLabel("Name").fill("Old laptop");
  await dialogOf(page).getByRole("button", { name: "Rename" }).click();
  const row = page.getByRole("table", { name: "Your passkeys" }).getByRole("row").filter({ hasText: "Old laptop" });
  await row.getByRole("button", { name: "Remove" }).click();
  await dialogOf(page).getByRole("button", { name: "Remove", exact: true }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Set up two-factor sign-in" })).toBeVisible();
  // The device still has it, and signs, but it belongs to nobody here.
  expect((await call(page, "session.askPasskey")).status()).toBe(409);
  await page.context().clearCookies();
  await enter(page, email);
  expect(troubles).toEqual([]);
});

test("what a passkey signs on another page is refused, and so is one that an admin's reset has forgotten", async ({ page, browser }) => {
  const { email } = await newPerson(browser, "viewer");
  await withDevice(page);
  await enter(page, email);
  await addPasskey(page, "Story phone");
  // The same host with another port: a browser lets such a page use the key, and reports the origin.
  const elsewhere = http.createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<title>Elsewhere</title>"),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const { ticket, options } = (await (await call(page, "session.askPasskey")).json()).result.data;
  await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
  const answer = await page.evaluate(async (asked) => {
    const bytes = (text: string) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const text = (buffer: ArrayBuffer) =>
      btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");
    const allowCredentials = asked.allowCredentials.map(({ id }: { id: string }) => ({ id: bytes(id), type: "public-key" as const }));
    const publicKey = { challenge: bytes(asked.challenge), rpId: asked.rpId, allowCredentials, userVerification: "required" as const };
    const key = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    const { clientDataJSON, authenticatorData, signature } = key.response as AuthenticatorAssertionResponse;
    const response = { clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData), signature: text(signature) };
    return { id: key.id, rawId: key.id, type: key.type, response };
  }, options);
  const refused = await call(page, "session.stepUpByPasskey", { ticket, answer });
  expect([refused.status(), (await refused.json()).error.data.refusal.code]).toEqual([401, "invalid_credentials"]);
  await new Promise((resolve) => elsewhere.close(resolve));

  const admin = await browserOf(browser, "admin");
  await stepUp(admin, "admin");
  await open(admin, "/console/people");
  await admin.getByLabel("Find").fill(email);
  const row = admin.getByRole("table", { name: "People" }).getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Two factors");
  await row.getByRole("button", { name: /^Actions on/ }).click();
  await admin.getByRole("menuitem", { name: "Reset two factors" }).click();
  await dialogOf(admin)
    .getByRole("button", { name: /^Reset/ })
    .click();
  await expect(row).toContainText("Password only");
  await page.goto(`${BASE_URL}/console/account`);
  expect(new URL(page.url()).pathname).toBe("/console/sign-in");
  await enter(page, email);
  await admin.context().close();
});
