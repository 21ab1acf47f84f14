import { expect, test } from "vitest";
import { search } from "./search-index.ts";

const PAGES = [
  {
    path: "/docs/retries",
    title: "Retries and limits",
    sections: [
      { id: null, heading: "Retries and limits", text: "When you do not know whether a request arrived, send it again." },
      { id: "idempotency", heading: "Idempotency-Key", text: "Send the header with a text of your own on any POST." },
    ],
  },
  {
    path: "/docs/events",
    title: "Events",
    sections: [{ id: "verify", heading: "Verify", text: "The header webhook-signature, not idempotent." }],
  },
];

test("every word has to be found, and a heading counts more than text", () => {
  expect(search(PAGES, "IDEMPOT").map(({ href }) => href)).toEqual(["/docs/retries#idempotency", "/docs/events#verify"]);
  expect(search(PAGES, "idempotency header").map(({ href }) => href)).toEqual(["/docs/retries#idempotency"]);
  expect(search(PAGES, "retries").map(({ href }) => href)).toEqual(["/docs/retries", "/docs/retries#idempotency"]);
  expect(search(PAGES, "  ")).toEqual([]);
  expect(search(PAGES, "header nowhere")).toEqual([]);
});

test("what was found is shown with the text around it", () => {
  const [found] = search(PAGES, "webhook-signature");
  expect(found).toMatchObject({ title: "Events", heading: "Verify" });
  expect(found?.excerpt).toContain("webhook-signature");
});
