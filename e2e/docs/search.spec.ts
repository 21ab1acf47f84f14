import { expect, test } from "@playwright/test";
import { type IndexedPage, indexOf } from "#app/docs/_parts/search-index.ts";
import { BASE_URL } from "../support/running-sandbox.ts";

/** What partners' developers typed, and the place that answers it. It must come first. */
const QUESTIONS: readonly (readonly [question: string, href: string])[] = [
  ["pagination", "/docs/data#pagination"],
  ["production", "/docs/go-live"],
  ["refund", "/docs/lifecycle#refunds"],
  ["kyc", "/docs/fiat#identity"],
  ["supported currencies", "/docs/amounts#pairs"],
  ["decimal precision", "/docs/amounts#crypto"],
  ["metadata", "/docs/data#metadata"],
  ["reconciliation", "/docs/data#reconciliation"],
  ["express", "/docs/callbacks#frameworks"],
  ["mpesa", "/docs/fiat#topups"],
  ["fees", "/docs/amounts#quote"],
  ["webhook", "/docs/callbacks"],
  ["how do I verify a callback signature", "/docs/callbacks#verify"],
  ["what happens when a quote expires", "/docs/lifecycle#expiry"],
  ["how long are events kept", "/docs/follow#kept"],
];

test("each question of a partner's developer finds its place first, and error codes and fields theirs", async () => {
  const pages = (await (await fetch(`${BASE_URL}/docs/search.json`)).json()) as IndexedPage[];
  const search = indexOf(pages);
  expect(QUESTIONS.map(([question]) => [question, search(question)[0]?.href])).toEqual(QUESTIONS);
  const codes = pages.filter(({ path }) => path.startsWith("/docs/errors/"));
  expect(codes.length).toBeGreaterThan(50);
  for (const { path, title } of codes) expect(search(title)[0]?.href, title).toBe(path);
  for (const field of ["platform_fee", "external_merchant_id", "return_tx_hash", "signed_management"]) {
    expect(search(field).length, field).toBeGreaterThan(0);
  }
});

test("a question is typed and leads to its place, also with a mistake in it", async ({ page }) => {
  await page.goto(`${BASE_URL}/docs`);
  const field = page.getByRole("searchbox", { name: "Search the documentation" });
  const first = page.getByRole("list", { name: "Results" }).getByRole("link").first();
  await field.fill("idempotncy key");
  await expect(first).toHaveAttribute("href", "/docs/retries#idempotency");
  await field.fill("supported currencies");
  await first.click();
  await page.waitForURL(`${BASE_URL}/docs/amounts#pairs`);
});
