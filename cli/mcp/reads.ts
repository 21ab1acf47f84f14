import { z } from "zod";
import { Trouble } from "#cli/exit.ts";
import { readMode } from "#cli/service.ts";
import { SETTLEMENT_STATUSES } from "#domain/settlement.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#domain/transaction.ts";
import { OUTPUTS } from "./outputs.ts";
import { findPage, readPages } from "./pages.ts";
import { searchPages } from "./search.ts";
import { defineTool, type Tool } from "./tool.ts";

const txId = z.string().min(1).max(64).describe("The settlement's id, tx_…");
const limit = z.int().min(1).max(100).default(20);

/** What changes nothing. */
export const READS: readonly Tool[] = [
  defineTool({
    name: "search_docs",
    title: "Search the documentation",
    description:
      "Finds pages of the settlement service's documentation: operations with their fields, error codes, lifecycles, sandbox values.",
    does: "read",
    input: { query: z.string().min(1).max(400), limit: z.int().min(1).max(10).default(5) },
    output: OUTPUTS.hits,
    run: async ({ query, limit: most }, { profile, signal }) => {
      const hits = searchPages(await readPages(profile.base_url, signal), query, most);
      return { results: hits.map((hit) => ({ ...hit, url: `${profile.base_url}${hit.path}` })) };
    },
  }),
  defineTool({
    name: "read_docs",
    title: "Read a page of the documentation",
    description: "Returns the whole page at a path from search_docs, such as /docs/errors/quote_expired.",
    does: "read",
    input: { path: z.string().min(1).max(200) },
    output: OUTPUTS.page,
    run: async ({ path }, { profile, signal }) => {
      const page = findPage(await readPages(profile.base_url, signal), path);
      if (page === null) throw new Trouble(`There is no page ${path}. Use a path from search_docs.`);
      return { ...page, url: `${profile.base_url}${page.path}` };
    },
  }),
  defineTool({
    name: "get_mode",
    title: "Is this a sandbox?",
    description: "Says whether writes are carried out (sandbox) or only proposed to a person (live, or unknown).",
    does: "read",
    input: {},
    output: OUTPUTS.mode,
    run: async (_input, { profile, signal }) => ({ mode: await readMode(profile, signal), base_url: profile.base_url }),
  }),
  defineTool({
    name: "list_pairs",
    title: "List pairs",
    description: "Lists the pairs that you can quote: currencies, chains, limits in minor units, fee, and whether quoting is up.",
    does: "read",
    input: {},
    output: OUTPUTS.pairs,
    run: async (_input, { client, signal }) => ({ pairs: await client.prices.pairs({ signal }) }),
  }),
  defineTool({
    name: "get_settlement",
    title: "Read a settlement",
    description: "Returns the current state of one settlement, with its undelivered callbacks.",
    does: "read",
    input: { tx_id: txId },
    output: OUTPUTS.settlement,
    run: async ({ tx_id }, { client, signal }) => await client.settlements.get(tx_id, { signal }),
  }),
  defineTool({
    name: "list_settlements",
    title: "List settlements",
    description: "Returns the newest matching settlements.",
    does: "read",
    input: { status: z.enum(SETTLEMENT_STATUSES).optional(), external_tx_id: z.string().min(1).max(128).optional(), limit },
    output: OUTPUTS.settlements,
    run: async ({ limit: most, ...filter }, { client, signal }) => {
      const settlements = [];
      for await (const settlement of client.settlements.list({ ...said(filter), limit: most }, { signal })) {
        settlements.push(settlement);
        if (settlements.length >= most) break;
      }
      return { settlements };
    },
  }),
  defineTool({
    name: "list_callbacks",
    title: "List a settlement's callbacks",
    description: "Returns every callback of a settlement, with every attempt and the receiver's answer.",
    does: "read",
    input: { tx_id: txId },
    output: OUTPUTS.callbacks,
    run: async ({ tx_id }, { client, signal }) => ({ callbacks: await client.settlements.callbacks(tx_id, { signal }) }),
  }),
  defineTool({
    name: "list_transactions",
    title: "List transactions",
    description: "Returns the newest settlements, withdrawals and top-ups in the same columns.",
    does: "read",
    input: { type: z.enum(TRANSACTION_TYPES).optional(), status: z.enum(TRANSACTION_STATUSES).optional(), limit },
    output: OUTPUTS.transactions,
    run: async (query, { client, signal }) =>
      Object(await client.call({ surface: "partner", method: "GET", path: "/partners/transactions", query, signal })),
  }),
  defineTool({
    name: "list_pools",
    title: "Read the fiat pools",
    description: "Returns what can be paid out in fiat, by currency, in minor units: total, reserved, available.",
    does: "read",
    input: {},
    output: OUTPUTS.pools,
    run: async (_input, { client, signal }) => ({ pools: await client.withdrawals.pools({ signal }) }),
  }),
];

/** Without what was left unsaid. */
export function said<Value extends object>(value: Value): { [Name in keyof Value]: Exclude<Value[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
