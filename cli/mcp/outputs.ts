import { z } from "zod";
import { poolSchema } from "#contract/partner/fiat.ts";
import { transactionListResponseSchema } from "#contract/partner/transactions.ts";
import { batchSchema } from "#contract/settlement/v1/batches.ts";
import { callbackSchema } from "#contract/settlement/v1/callbacks.ts";
import { pairSchema } from "#contract/settlement/v1/pricing.ts";
import { settlementSchema } from "#contract/settlement/v1/settlement.ts";

/** What the tools answer: the contract's own schemas, open for the fields that later versions of the service add. */

/** The schema with every object in it open. Its descriptions stay. */
export function openSchema(schema: z.ZodObject): z.ZodObject {
  return z.looseObject(Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, openField(field)])));
}

function openField(field: z.ZodType): z.ZodType {
  const opened = openInside(field);
  return field.description === undefined ? opened : opened.describe(field.description);
}

function openInside(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodObject) return openSchema(field);
  if (field instanceof z.ZodArray && field.element instanceof z.ZodType) return z.array(openField(field.element));
  if (field instanceof z.ZodNullable || field instanceof z.ZodOptional) {
    const inner = field.unwrap();
    if (inner instanceof z.ZodType) return field instanceof z.ZodNullable ? openField(inner).nullable() : openField(inner).optional();
  }
  return field;
}

const settlement = openSchema(settlementSchema);
const batch = openSchema(batchSchema);
const batchProposal = z.looseObject({ done: z.literal(false), action: z.string(), batch_id: z.string(), a_person_runs: z.string() });
const proposal = z.looseObject({ done: z.literal(false), action: z.string(), tx_id: z.string(), a_person_runs: z.string() });

export const OUTPUTS = {
  settlement,
  /** In live mode the answer is a proposal for a person instead of the settlement. */
  settlementOrProposal: settlement.partial().extend({
    proposal: proposal.optional().describe("Nothing has happened yet. A person decides, and runs this command to carry it out"),
  }),
  batch,
  /** In live mode the answer is a proposal for a person instead of the batch. */
  batchOrProposal: batch.partial().extend({
    proposal: batchProposal.optional().describe("Nothing has happened yet. A person decides, and runs this command to carry it out"),
  }),
  /** An outcome that is a refusal answers the refusal. */
  outcome: settlement.partial().extend({
    as_asked_for: z.looseObject({ status: z.int(), code: z.string(), detail: z.string() }).optional().describe("The requested refusal"),
  }),
  settlements: z.looseObject({ settlements: z.array(settlement).describe("The newest matching settlements") }),
  pairs: z.looseObject({ pairs: z.array(openSchema(pairSchema)).describe("The pairs that can be quoted") }),
  callbacks: z.looseObject({ callbacks: z.array(openSchema(callbackSchema)).describe("Every callback of the settlement") }),
  transactions: openSchema(transactionListResponseSchema),
  pools: z.looseObject({ pools: z.array(openSchema(poolSchema)).describe("By currency") }),
  mode: z.looseObject({ mode: z.enum(["sandbox", "live"]), base_url: z.string() }),
  hits: z.looseObject({
    results: z
      .array(z.looseObject({ title: z.string(), path: z.string(), url: z.string(), excerpt: z.string() }))
      .describe("Best first; read_docs reads the page of a path"),
  }),
  page: z.looseObject({ title: z.string(), path: z.string(), url: z.string(), text: z.string().describe("The whole page, as Markdown") }),
};
