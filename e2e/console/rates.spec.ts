import { expect, type Page, test } from "@playwright/test";
import { ask, change, resultOf } from "../support/calls.ts";
import { partner } from "../support/client.ts";
import { browserOf, open, proveIfAsked } from "../support/console.ts";
import { chain, sandbox } from "../support/running-sandbox.ts";
import { quote, setRate } from "../support/settlements.ts";

/** Rates and the terms of pairs. Each story uses its own pair and restores it. */

const OWNER = { source_currency: "KWD", destination_currency: "USDT", chain: chain.chain, partner_id: null };
type Terms = Record<string, unknown> & { version: number; maximum_source_amount: string };
type Versions = { terms: Terms; entry: { reason: string | null } | null }[];
type Listed = { data: { source_currency: string; destination_currency: string; terms: Terms }[] };

const drawer = (page: Page) => page.getByRole("dialog", { name: "KWD → USDT" });

async function openTerms(page: Page): Promise<void> {
  await open(page, "/console/rates");
  await page.getByRole("button", { name: /^KWD → USDT on/ }).click();
  await expect(drawer(page).getByLabel("Spread")).toBeEnabled();
}

function setOf({ version: _version, withdrawn: _withdrawn, created_at: _created, ...terms }: Terms): Record<string, unknown> {
  return terms;
}

/** Puts the terms back as they were before the story. */
async function restore(page: Page, before: Terms): Promise<void> {
  const [newest] = await resultOf<Versions>(page, "rates.history", OWNER);
  if (newest === undefined || newest.terms.version === before.version) return;
  const terms = setOf(before);
  await change(page, "session.stepUp", { proof: sandbox.users.admin.password });
  const put = await change(page, "rates.set", { ...OWNER, terms, expected_version: newest.terms.version, reason: "as it was before" });
  expect(put.status).toBe(200);
}

test("terms are changed with their effect in sight, who and why is kept, and the second of two who save sees the first", async ({
  browser,
}) => {
  for (const source_amount of [200_000, 1_200_000]) await quote({ source_currency: "KWD", source_amount, external_merchant_id: "priced" });
  const page = await browserOf(browser, "admin");
  const other = await browserOf(browser, "admin");
  const { data } = await resultOf<Listed>(page, "rates.terms");
  const before = data.find((pair) => pair.source_currency === "KWD" && pair.destination_currency === "USDT")?.terms;
  if (before === undefined) throw new Error("the sandbox has no such pair");
  try {
    await openTerms(other);
    await drawer(other).getByLabel("Spread").fill("10");
    await openTerms(page);
    const effect = drawer(page).getByRole("region", { name: "What this changes" });
    const save = drawer(page).getByRole("button", { name: "Save terms of KWD → USDT" });
    await expect(save).toBeDisabled();
    await drawer(page).getByLabel("Spread").fill("90");
    await drawer(page).getByLabel("One approval above", { exact: true }).fill("1000.000");
    await expect(effect).toContainText("40 bps → 90 bps");
    await expect(effect).toContainText("A quote of 10.000 KWD: 31.943106 → 31.780239 USDT");
    await expect(effect).toContainText(/[1-9]\d* of the last \d+ settlements would have needed approval \(now \d+\)/);
    await drawer(page).getByLabel("Reason").fill("too short".slice(0, 5));
    await expect(save).toBeDisabled();
    await drawer(page).getByLabel("Reason").fill("a calmer market");
    await save.click();
    const saved = drawer(page).getByText(`version ${before.version + 1}`);
    await proveIfAsked(page, "admin", saved);
    await expect(saved).toBeVisible();
    const pairs = JSON.parse((await partner.get("/api/v1/pairs")).text).data;
    expect(
      pairs.find(
        (each: { source_currency: string; destination_currency: string }) =>
          each.source_currency === "KWD" && each.destination_currency === "USDT",
      ).maximum_source_amount,
    ).toBe(1_000_000);

    await drawer(page).getByRole("tab", { name: "History" }).click();
    const newest = drawer(page).getByRole("list", { name: "Versions, the newest first" }).getByRole("listitem").first();
    await expect(newest).toContainText("a calmer market");
    await expect(newest).toContainText(/1,?000\.000 KWD/);

    // The other began from the version before.
    await drawer(other).getByLabel("Reason").fill("a livelier market");
    await drawer(other).getByRole("button", { name: "Save terms of KWD → USDT" }).click();
    await expect(drawer(other).getByText("Someone has changed these terms")).toBeVisible();
    expect((await resultOf<Versions>(other, "rates.history", OWNER))[0]?.terms.version).toBe(before.version + 1);
    await drawer(other)
      .getByRole("button", { name: `Compare with version ${before.version + 1}` })
      .click();
    await expect(drawer(other).getByRole("region", { name: "What this changes" })).toContainText("90 bps → 10 bps");

    await drawer(page)
      .getByRole("button", { name: `Go back to version ${before.version}` })
      .click();
    await expect(drawer(page).getByLabel("Reason")).toHaveValue(`Back to version ${before.version}`);
    await drawer(page).getByRole("button", { name: "Save terms of KWD → USDT" }).click();
    await expect(drawer(page).getByText(`version ${before.version + 2}`)).toBeVisible();
    expect((await resultOf<Versions>(page, "rates.history", OWNER))[0]?.terms.maximum_source_amount).toBe(before.maximum_source_amount);
  } finally {
    await restore(page, before);
  }
  await other.context().close();
  await page.context().close();
});

test("one partner's own terms are set, hold for it alone, and are withdrawn", async ({ browser }) => {
  const page = await browserOf(browser, "admin");
  const mine = async () => {
    const pairs: { source_currency: string; destination_currency: string; platform_fee: number }[] = JSON.parse(
      (await partner.get("/api/v1/pairs")).text,
    ).data;
    return pairs.find((each) => each.source_currency === "KWD" && each.destination_currency === "USDT")?.platform_fee;
  };
  const usual = await mine();
  await openTerms(page);
  await drawer(page)
    .getByRole("tab", { name: /^Partners/ })
    .click();
  await drawer(page).getByLabel("Terms for one partner").selectOption(sandbox.partner.id);
  await drawer(page).getByLabel("Platform fee").fill("0.25");
  await drawer(page).getByLabel("Reason", { exact: true }).fill("agreed by contract");
  await change(page, "session.stepUp", { proof: sandbox.users.admin.password });
  await drawer(page).getByRole("button", { name: "Save the partner's terms" }).click();
  try {
    await expect.poll(mine).toBe(0.25);
  } finally {
    await drawer(page).getByLabel("Reason for withdrawing").fill("the contract ended");
    await drawer(page).getByRole("button", { name: "Withdraw these terms" }).click();
    await expect.poll(mine).toBe(usual);
  }
  await page.context().close();
});

test("a pair without a rate is shown at once, with the cause", async ({ browser }) => {
  const page = await browserOf(browser, "viewer");
  const staff = await browserOf(browser, "staff");
  await open(page, "/console/rates");
  try {
    await setRate("KWD", "USDC", null);
    const banner = page.getByText(/Quoting is halted for \d+ pairs?/);
    await expect(banner).toBeVisible();
    await expect(page.getByText(/KWD → USDC: there is no rate/)).toBeVisible();
    for (const [each, value] of [
      [page, /^Quoting is halted: no rate for KWD\/USDC, since .* UTC, runbook rates-stale$/],
      [staff, /^KWD\/USDC cannot be quoted right now, since .* UTC$/],
    ] as const) {
      await open(each, "/console/settlements");
      const line = each
        .getByRole("status")
        .locator("p")
        .filter({ has: each.locator("strong") });
      await expect(line).toHaveText(value, { timeout: 30_000 });
    }
    const { checks } = await (await page.request.get(`${sandbox.base_url}/ready`)).json();
    expect(checks.rates).toEqual({ ok: false, detail: "no rate for KWD/USDC" });
    await open(page, "/console");
    await expect(page.getByRole("link", { name: /^Rates: KWD\/USDC not quoted/ })).toHaveAttribute("href", "/console/rates");
  } finally {
    await setRate("KWD", "USDC", 3.25826);
  }
  await expect(page.getByRole("link", { name: /not quoted/ })).toHaveCount(0);
  for (const each of [page, staff]) await each.context().close();
});

test("a viewer looks and changes nothing; a partner sees its limits and none of the operator's margin", async ({ browser }) => {
  const viewer = await browserOf(browser, "viewer");
  await open(viewer, "/console/rates");
  await viewer.getByRole("button", { name: /^KWD → USDT on/ }).click();
  await expect(drawer(viewer).getByLabel("Spread")).toBeDisabled();
  await expect(drawer(viewer).getByRole("button", { name: /^Save/ })).toHaveCount(0);
  const [newest] = await resultOf<Versions>(viewer, "rates.history", OWNER);
  const input = { ...OWNER, terms: newest && setOf(newest.terms), expected_version: newest?.terms.version, reason: "no reason at all" };
  expect((await change(viewer, "rates.set", input)).status).toBe(403);
  const staff = await browserOf(browser, "staff", { permissions: ["clipboard-read", "clipboard-write"] });
  for (const path of ["rates.terms", "rates.history", "rates.preview"]) expect((await ask(staff, path, OWNER)).status, path).toBe(404);
  expect((await change(staff, "rates.set", input)).status).toBe(404);
  await open(staff, "/console/rates");
  const row = staff.getByRole("row").filter({ hasText: "KES → USDT" });
  await expect(row).toContainText("1,000,000.00 KES");
  expect(JSON.stringify((await ask(staff, "rates.pairs")).data)).not.toMatch(/spread|mid_rate/);
  await row.getByRole("button", { name: "Copy KES → USDT as an API call" }).click();
  const copied = await staff.evaluate(() => navigator.clipboard.readText());
  const [, query] = /^curl .* '?http[^ ]*\/api\/v1\/rates\/preview\?([^' ]+)'/m.exec(copied) ?? [];
  expect(Object.fromEntries(new URLSearchParams(query))).toMatchObject({ source_currency: "KES", destination_currency: "USDT" });
  expect(copied).toContain(`GET /api/v1/rates/preview '${query}'`);
  expect(copied).not.toContain(sandbox.partner.api_secret);
  await staff.getByLabel(/^Amount in/).fill("1,000");
  await staff.getByLabel("Fiat", { exact: true }).selectOption("KWD");
  await staff.getByLabel("Token", { exact: true }).selectOption("USDT");
  await expect(staff.getByRole("status").filter({ hasText: "3,257.34 USDT" })).toBeVisible();
  await staff.context().close();
  await viewer.context().close();
});
