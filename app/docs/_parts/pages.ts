/** The documentation's pages in reading order. `summary` is the page's description for search engines and the overview. */
export const PAGES = [
  { path: "/docs", title: "Overview", summary: "What the service does, and the first signed request." },
  { path: "/docs/signing", title: "Signing requests", summary: "The five components, the three headers, and vectors to test with." },
  {
    path: "/docs/signature-debugger",
    title: "Signature debugger",
    summary: "Names the mistake in a refused signature, in the browser: the secret never leaves the page.",
  },
  { path: "/docs/lifecycle", title: "Life of a settlement", summary: "Statuses, approval, expiry, and what each action needs." },
  { path: "/docs/amounts", title: "Amounts and rates", summary: "Minor units, exact decimals, and how a quote is computed." },
  { path: "/docs/callbacks", title: "Callbacks", summary: "What is sent when, how to verify it, and the six attempts." },
  { path: "/docs/proofs", title: "Proofs", summary: "Signed quotes and receipts, and a page that checks them." },
  { path: "/docs/retries", title: "Retries and limits", summary: "Idempotency, safe repeats, rate limits and outages." },
  { path: "/docs/reference", title: "Operations", summary: "Every operation with its fields, its answer and its refusals." },
  {
    path: "/docs/partner-management",
    title: "Partner management",
    summary: "Members, Safes, fiat in and out, rates, transactions, partners and keys.",
  },
  { path: "/docs/errors", title: "Errors", summary: "Every error code, what it means and what to do." },
  { path: "/docs/sandbox", title: "Sandbox controls", summary: "Move the clock and the rates, and force outcomes." },
] as const;

export type DocsPath = (typeof PAGES)[number]["path"];

export function pageAt(path: DocsPath): { path: DocsPath; title: string; summary: string } {
  return PAGES.find((page) => page.path === path) ?? PAGES[0];
}
