/** The reference's pages: a group of operations each. */

export type OperationGroup = { slug: string; title: string; summary: string; surface: "settlement" | "management"; of: RegExp };

/** In reading order. `of`: the operations' paths; the first group that fits has the operation. */
export const OPERATION_GROUPS: readonly OperationGroup[] = [
  {
    slug: "callbacks",
    title: "API: callbacks",
    summary: "List the callbacks of every object, and send one again.",
    surface: "settlement",
    of: /\/api\/v1\/(callbacks|settlements\/\{tx_id\}\/callbacks)/,
  },
  {
    slug: "proofs",
    title: "API: proofs and keys",
    summary: "Signed quotes and receipts, public keys, the service’s clock, and a test of your signature.",
    surface: "settlement",
    of: /\/proof|jwks|^\/time|\/echo|leaked-keys/,
  },
  {
    slug: "settlements",
    title: "API: settlements",
    summary: "Quote, confirm, cancel, read and list settlements.",
    surface: "settlement",
    of: /^\/api\/v1\/settlements/,
  },
  {
    slug: "batches",
    title: "API: batches",
    summary: "Estimate, create, confirm, requote and cancel up to 500 settlements together.",
    surface: "settlement",
    of: /^\/api\/v1\/settlement-batches/,
  },
  {
    slug: "prices",
    title: "API: pairs and rates",
    summary: "The pairs that you can quote, previews, and conversions.",
    surface: "settlement",
    of: /^\/api\/v1\/(pairs|rates)/,
  },
  {
    slug: "events",
    title: "API: events",
    summary: "Read every change, and have changes sent to event destinations.",
    surface: "settlement",
    of: /^\/api\/v1\/event/,
  },
  {
    slug: "decisions",
    title: "API: the operator’s decisions",
    summary: "Approve, reject, release and refuse settlements and batches.",
    surface: "management",
    of: /^\/admins\/settlement/,
  },
  {
    slug: "people",
    title: "API: people",
    summary: "Log in, log out, and create the operator’s people.",
    surface: "management",
    of: /^\/(admins|login)/,
  },
  {
    slug: "members",
    title: "API: members and Safes",
    summary: "Register members, read and deploy their Safes.",
    surface: "management",
    of: /^\/(partners\/members|safes)/,
  },
  {
    slug: "withdrawals",
    title: "API: withdrawals",
    summary: "Pay fiat out of a Safe’s crypto.",
    surface: "management",
    of: /withdraw-fiat/,
  },
  {
    slug: "topups",
    title: "API: top-ups",
    summary: "Collect fiat, and send crypto to a member.",
    surface: "management",
    of: /topup-fiat/,
  },
  {
    slug: "transactions",
    title: "API: transactions and rates",
    summary: "All your orders in the same columns, and the present exchange rates.",
    surface: "management",
    of: /^\/(partners\/transactions|exchange-rates)/,
  },
  {
    slug: "partners",
    title: "API: partners and API keys",
    summary: "Partners, their payments, API keys and callback secrets.",
    surface: "management",
    of: /^\/partners/,
  },
];

/** In the order of the navigation. */
const READING_ORDER = [
  "settlements",
  "batches",
  "prices",
  "callbacks",
  "events",
  "proofs",
  "members",
  "withdrawals",
  "topups",
  "transactions",
  "partners",
  "decisions",
  "people",
];

export const GROUPS_IN_ORDER: readonly OperationGroup[] = READING_ORDER.map((slug) => {
  const group = OPERATION_GROUPS.find((each) => each.slug === slug);
  if (group === undefined) throw new Error(`there is no group ${slug}`);
  return group;
});

export type GroupPath = `/docs/reference/${string}`;

export function groupPath({ slug }: Pick<OperationGroup, "slug">): GroupPath {
  return `/docs/reference/${slug}`;
}

/** @throws Error for a path that no group has */
export function groupOf({ path }: { path: string }): OperationGroup {
  const group = OPERATION_GROUPS.find(({ of }) => of.test(path));
  if (group === undefined) throw new Error(`no group of the reference has ${path}`);
  return group;
}

/** Where an operation is described. */
export function operationHref(operation: { id: string; path: string }): string {
  return `${groupPath(groupOf(operation))}#${operation.id}`;
}
