import { z } from "zod";
import { timestamp } from "#server/contract/primitives.ts";

/** What the partner may quote (contract, part 9 "Shapes"). */
export const pairSchema = z.object({
  source_currency: z.string(),
  destination_currency: z.string(),
  chain: z.string(),
  minimum_source_amount: z.int(),
  maximum_source_amount: z.int().describe("Strictly above it a settlement awaits approval"),
  platform_fee: z.number().describe("In the destination currency"),
  destination_decimals: z.int(),
  quote_lifetime_seconds: z.int(),
  quoting: z.enum(["up", "down"]),
});
export const pairListSchema = z.object({ data: z.array(pairSchema) });

/** An indicative price: nothing is stored, nothing is promised. */
export const previewSchema = z.object({
  source_currency: z.string(),
  destination_currency: z.string(),
  chain: z.string(),
  exchange_rate: z.number(),
  platform_fee: z.number(),
  as_of: timestamp,
  source_amount: z.int().optional(),
  destination_amount: z.number().optional(),
});
