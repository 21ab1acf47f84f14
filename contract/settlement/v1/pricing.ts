import { z } from "zod";
import { exactNumber, instant, timestamp } from "#contract/primitives.ts";
import type { Decimal } from "#domain/decimal.ts";
import { displayDecimals, publishableAmount } from "#domain/money.ts";
import type { PairTerms } from "#domain/pair-terms.ts";

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

export function renderPair(pair: PairTerms & { tokenDecimals: number; quoting: "up" | "down" }): z.infer<typeof pairSchema> {
  return {
    source_currency: pair.sourceCurrency,
    destination_currency: pair.destinationCurrency,
    chain: pair.chain,
    minimum_source_amount: Number(pair.minimumSourceMinor),
    maximum_source_amount: Number(pair.maximumSourceMinor),
    platform_fee: exactNumber(publishableAmount(pair.platformFeeBase, pair.tokenDecimals)),
    destination_decimals: displayDecimals(pair.tokenDecimals),
    quote_lifetime_seconds: pair.quoteLifetimeSeconds,
    quoting: pair.quoting,
  };
}

type Preview = {
  sourceCurrency: string;
  destinationCurrency: string;
  chain: string;
  exchangeRate: Decimal;
  platformFeeBase: bigint;
  tokenDecimals: number;
  asOf: Date;
  amounts: { sourceAmountMinor: bigint; destinationAmountBase: bigint } | null;
};

export function renderPreview(preview: Preview): z.infer<typeof previewSchema> {
  const amount = (base: bigint) => exactNumber(publishableAmount(base, preview.tokenDecimals));
  return {
    source_currency: preview.sourceCurrency,
    destination_currency: preview.destinationCurrency,
    chain: preview.chain,
    exchange_rate: exactNumber(preview.exchangeRate),
    platform_fee: amount(preview.platformFeeBase),
    as_of: instant(preview.asOf),
    ...(preview.amounts && {
      source_amount: Number(preview.amounts.sourceAmountMinor),
      destination_amount: amount(preview.amounts.destinationAmountBase),
    }),
  };
}
