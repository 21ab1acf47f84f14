import { z } from "zod";
import type { SettlementClient } from "#sdk/typescript/src/index.ts";
import { OUTPUTS } from "./outputs.ts";
import { said } from "./reads.ts";
import { shellWord } from "./shell-word.ts";
import { defineTool, isLive, ONLY_PROPOSED, type Surroundings, type Tool } from "./tool.ts";

const text = (most: number) => z.string().min(1).max(most);
const batchId = text(64).describe("The batch's id, ba_…");

/** Batches: up to 500 settlements at once. In live mode they are quoted at most; what would pay them, or cancel them, is proposed. */
export const BATCH_TOOLS: readonly Tool[] = [
  defineTool({
    name: "quote_batch",
    title: "Get quotes for many payments",
    description:
      "Creates up to 500 settlements as one batch, all or none, each with a guaranteed price. No money moves. They lapse unless the batch is confirmed.",
    does: "write",
    input: {
      external_batch_id: text(128).describe("Your name for the batch. Repeating the same call does not create another batch."),
      items: z
        .array(
          z.object({
            external_tx_id: text(128).describe("Your reference for this payment, unique among your settlements"),
            source_amount: z.int().min(1).describe("Minor units (cents) of the source currency"),
            source_currency: text(16),
            destination_currency: text(16),
            chain: text(64).describe("CAIP-2, as in list_pairs"),
            wallet_address: text(128),
            external_merchant_id: text(128),
          }),
        )
        .min(1)
        .max(500),
      callback_url: text(2_048).optional().describe("Receives batch.completed"),
    },
    output: OUTPUTS.batch,
    run: async ({ external_batch_id, items, ...rest }, { client, signal }) => {
      const { items: _, ...made } = await client.batches.create({ external_batch_id, items, ...said(rest) }, { signal });
      return made;
    },
  }),
  defineTool({
    name: "get_batch",
    title: "Read a batch",
    description: "Returns the current state of one batch: its sums by pair, and how many of its items have which status.",
    does: "read",
    input: { batch_id: batchId },
    output: OUTPUTS.batch,
    run: async ({ batch_id }, { client, signal }) => await client.batches.get(batch_id, { signal }),
  }),
  defineTool({
    name: "confirm_batch",
    title: "Confirm a batch",
    description:
      "In a sandbox, confirms all items of a batch, and the payments follow. In live mode, pays nothing, and returns a proposal for a person.",
    does: "destroy",
    input: { batch_id: batchId, callback_url: text(2_048).optional().describe("Required if the batch named none") },
    output: OUTPUTS.batchOrProposal,
    run: async ({ batch_id, ...rest }, surroundings) => {
      const { client, signal } = surroundings;
      const body = said(rest);
      if (!(await isLive(surroundings))) return await client.batches.confirm(batch_id, body, { signal });
      return proposal(surroundings, await client.batches.get(batch_id, { signal }), "confirm", body);
    },
  }),
  defineTool({
    name: "cancel_batch",
    title: "Cancel a batch",
    description:
      "In a sandbox, cancels a batch that is not confirmed, with all its items. In live mode, changes nothing, and returns a proposal for a person.",
    does: "destroy",
    input: { batch_id: batchId },
    output: OUTPUTS.batchOrProposal,
    run: async ({ batch_id }, surroundings) => {
      const { client, signal } = surroundings;
      if (!(await isLive(surroundings))) return await client.batches.cancel(batch_id, { signal });
      return proposal(surroundings, await client.batches.get(batch_id, { signal }), "cancel", {});
    },
  }),
];

type Batch = Awaited<ReturnType<SettlementClient["batches"]["get"]>>;

/** What a person decides. Nothing of it has happened. */
function proposal({ profile }: Surroundings, batch: Batch, action: "confirm" | "cancel", body: { callback_url?: string }): object {
  const { batch_id, external_batch_id, item_count, totals, expires_at } = batch;
  const url = body.callback_url;
  return {
    proposal: {
      done: false,
      action: `${action}_batch`,
      batch_id,
      external_batch_id,
      item_count,
      totals,
      expires_at,
      body,
      why: ONLY_PROPOSED,
      look_at: `${profile.base_url}/console/settlements`,
      a_person_runs: [
        "npx settle batch",
        action,
        shellWord(batch_id),
        ...(url === undefined ? [] : ["--callback-url", shellWord(url)]),
      ].join(" "),
    },
  };
}
