import { expect, test } from "vitest";
import { deadUrl } from "#testing/settle.ts";
import { readPages, splitPages } from "./pages.ts";
import { searchPages } from "./search.ts";

const own = async () => await readPages(await deadUrl(), new AbortController().signal);

test.each([
  ["quote_changed", "/docs/errors/quote_changed"],
  ["what does signature_mismatch mean", "/docs/errors/signature_mismatch"],
  ["confirm a quote external_tx_id", "/docs/reference"],
  ["withdraw fiat destination mobile_money", "/docs/partner-management"],
  ["sandbox wallet ending that gets stuck", "/docs/sandbox"],
  ["approval pending lifecycle approve reject", "/docs/lifecycle"],
  ["how do I resend a webhook", "/docs/reference"],
  ["which signatures mismatch?", "/docs/errors/signature_mismatch"],
])("%s is found without any service, on the right page", async (query, path) => {
  expect(searchPages(await own(), query, 3).map((hit) => hit.path)).toContain(path);
});

test("an operation is described with its fields", async () => {
  const [hit] = searchPages(await own(), "POST /api/v1/settlements create_settlement wallet_address source_amount", 1);
  expect(hit?.excerpt).toContain("- Body source_amount (integer), required: The amount to settle, in minor units of source_currency");
});

test("nothing is found where nothing fits", async () => {
  expect(searchPages(await own(), "xylophone", 3)).toEqual([]);
});

test("a whole documentation in one text is read page by page, and code is no heading", () => {
  const pages = splitPages(
    "Source: https://api.example/docs/one\n\n# One\n\nFirst.\n\n```sh\n# no heading\n```\n\n---\n\nSource: https://api.example/docs/two\n\n# Two\n\nSecond.\n",
  );
  expect(pages.map(({ title, path }) => [title, path])).toEqual([
    ["One", "/docs/one"],
    ["Two", "/docs/two"],
  ]);
  expect(pages[0]?.text).toContain("# no heading");
});
