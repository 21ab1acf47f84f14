import { expect, test } from "vitest";
import { askedFor, stem } from "../_content/search-terms.ts";
import { indexOf } from "./search-index.ts";

const search = indexOf([
  {
    path: "/docs/retries",
    title: "Retries and limits",
    sections: [
      { id: null, heading: "Retries and limits", text: "When you do not know whether a request arrived, send it again." },
      { id: "idempotency", heading: "Idempotency-Key", text: "Send the header with a text of your own on any POST." },
    ],
  },
  {
    path: "/docs/callbacks",
    title: "Callbacks",
    sections: [
      { id: "verify", heading: "Verifying a callback", text: "The header webhook-signature, not idempotent. Not with signature_mismatch." },
    ],
  },
  {
    path: "/docs/errors/signature_mismatch",
    title: "signature_mismatch",
    sections: [{ id: null, heading: "signature_mismatch", text: "The signature does not fit." }],
  },
]);
const hrefs = (words: string) => search(words).map(({ href }) => href);

test("places with every word come first, and a heading counts more than text", () => {
  expect(hrefs("IDEMPOT")).toEqual(["/docs/retries#idempotency", "/docs/callbacks#verify"]);
  expect(hrefs("idempotency header text")).toEqual(["/docs/retries#idempotency"]);
  expect(hrefs("retries")).toEqual(["/docs/retries", "/docs/retries#idempotency"]);
  expect(hrefs("signature_mismatch")[0]).toBe("/docs/errors/signature_mismatch");
  expect(hrefs("  ")).toEqual([]);
  expect(hrefs("the of")).toEqual([]);
  expect(hrefs("xylophone")).toEqual([]);
});

test("a question is found by its words in another form, by synonyms, and with a typing mistake", () => {
  expect(hrefs("how do I verify a webhook")[0]).toBe("/docs/callbacks#verify");
  expect(hrefs("verification of callbacks")[0]).toBe("/docs/callbacks#verify");
  expect(hrefs("duplicates")[0]).toBe("/docs/retries#idempotency");
  expect(hrefs("calback verifying")[0]).toBe("/docs/callbacks#verify");
  expect(hrefs("idempotency xylophone")[0]).toBe("/docs/retries#idempotency");
});

test("words of one root have one stem, and others keep apart", () => {
  for (const words of [
    ["verify", "verifies", "verified", "verifying", "verification"],
    ["signature", "signatures"],
    ["settle", "settled", "settles"],
    ["currency", "currencies"],
    ["reconcile", "reconciled"],
    ["create", "creation", "creates", "created", "creating"],
  ])
    expect(new Set(words.map(stem)).size, words.join(" ")).toBe(1);
  expect(stem("quote_changed")).toBe("quote_changed");
  expect(askedFor("what is a webhook?")).toEqual([["webhook", "callback"]]);
});

test("what was found is shown with the text around it", () => {
  const [found] = search("webhook-signature");
  expect(found).toMatchObject({ title: "Callbacks", heading: "Verifying a callback" });
  expect(found?.excerpt).toContain("webhook-signature");
});
