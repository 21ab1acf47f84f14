import { GROUPS_IN_ORDER, type GroupPath, groupPath } from "../_content/operation-groups.ts";

/** The documentation's pages by group, in reading order. `summary` is the page's description for search engines and the overview. */
export const PAGE_GROUPS = [
  {
    group: "Get started",
    pages: [
      { path: "/docs", title: "Overview", summary: "What the service does, and the first signed request." },
      {
        path: "/docs/quickstart",
        title: "Quickstart",
        summary: "Five steps from a key to a verified callback, in cURL, TypeScript, Python, Go and PHP.",
      },
      { path: "/docs/secrets", title: "Keys and secrets", summary: "What they are for, where each comes from, and how to rotate them." },
      { path: "/docs/sandbox", title: "Sandbox controls", summary: "Move the clock and the rates, and force outcomes." },
      {
        path: "/docs/single-sign-on",
        title: "Single sign-on",
        summary: "Your people sign in with your company’s identity provider, and your directory can end their access.",
      },
      { path: "/docs/go-live", title: "Go live", summary: "One checklist before you take real money, and what differs in production." },
    ],
  },
  {
    group: "Requests",
    pages: [
      { path: "/docs/signing", title: "Signing requests", summary: "The five components, the three headers, and vectors to test with." },
      {
        path: "/docs/signature-debugger",
        title: "Signature debugger",
        summary: "Names the mistake in a refused signature, in the browser: the secret never leaves the page.",
      },
      { path: "/docs/retries", title: "Retries and limits", summary: "Idempotency, safe repeats, rate limits and outages." },
      { path: "/docs/amounts", title: "Amounts and rates", summary: "Minor units, exact decimals, and how a quote is computed." },
      {
        path: "/docs/data",
        title: "Lists and metadata",
        summary: "Read lists page by page, keep your own notes, and compare your books with ours.",
      },
      { path: "/docs/lifetimes", title: "Lifetimes", summary: "How long quotes, approvals, top-ups, nonces and keys stay valid." },
    ],
  },
  {
    group: "Payments",
    pages: [
      { path: "/docs/lifecycle", title: "Life of a settlement", summary: "Statuses, approval, expiry, and what each action needs." },
      {
        path: "/docs/networks",
        title: "Networks",
        summary: "Addresses, hashes, finality and memos on EVM, Solana, Tron and Tempo.",
      },
      { path: "/docs/batches", title: "Batches", summary: "Up to 500 settlements created, confirmed and decided together." },
      {
        path: "/docs/fiat",
        title: "Fiat in and out",
        summary:
          "A withdrawal and a top-up with their verified callbacks, and every destination, source and payment, in cURL, TypeScript, Python, Go and PHP.",
      },
      { path: "/docs/proofs", title: "Proofs", summary: "Signed quotes and receipts, and a page that checks them." },
    ],
  },
  {
    group: "Outcomes",
    pages: [
      { path: "/docs/callbacks", title: "Callbacks", summary: "What is sent when, how to verify it, and the six attempts." },
      { path: "/docs/events", title: "Events", summary: "Every callback with its payload, its fields, and how to verify it." },
      {
        path: "/docs/follow",
        title: "Follow changes",
        summary: "Every change as an event: read them from a cursor, or have them sent to your URL, RabbitMQ or NATS.",
      },
      { path: "/docs/certify", title: "Certification", summary: "Find out whether your receiver and your client handle failures." },
    ],
  },
  {
    group: "Reference",
    pages: [
      {
        path: "/docs/reference",
        title: "Operations",
        summary: "Every operation, the client of each language, and the settlement with its fields.",
      },
      {
        path: "/docs/partner-management",
        title: "Partner management",
        summary: "Members, Safes, fiat in and out, rates, transactions, partners and keys.",
      },
      { path: "/docs/errors", title: "Errors", summary: "Every error code, what it means and what to do." },
      {
        path: "/docs/changelog",
        title: "Versions and changes",
        summary: "What never changes, how deprecations are announced, and the changelog.",
      },
    ],
  },
  { group: "API", pages: GROUPS_IN_ORDER.map((group) => ({ path: groupPath(group), title: group.title, summary: group.summary })) },
  {
    group: "Tools",
    pages: [
      {
        path: "/docs/cli",
        title: "Command line",
        summary: "npx settle: try the service, receive callbacks, find faults, and connect agents.",
      },
      { path: "/docs/try-it", title: "Try it", summary: "Signs a request in the page with a sandbox’s keys, and sends it." },
    ],
  },
] as const;

export type DocsPath = Exclude<(typeof PAGE_GROUPS)[number]["pages"][number]["path"], GroupPath> | GroupPath;
export type DocsPage = { path: DocsPath; title: string; summary: string };

/** Every page, in reading order. */
export const PAGES: readonly DocsPage[] = PAGE_GROUPS.flatMap(({ pages }): readonly DocsPage[] => pages);

export function pageAt(path: DocsPath): DocsPage {
  return PAGES.find((page) => page.path === path) ?? PAGE_GROUPS[0].pages[0];
}
