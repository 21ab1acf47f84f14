import { z } from "zod";
import { rateUnit, renderRateUnit } from "#contract/metadata.ts";
import { exactAmount, exactNumber, instant, timestamp } from "#contract/primitives.ts";
import { chainShown, cryptoShown, fiatShown } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import type { Decimal } from "#domain/decimal.ts";
import { displayDecimals, publishableAmount } from "#domain/money.ts";
import type { PairTerms } from "#domain/pair-terms.ts";
import { askedCostSchema, renderCost, type ShownCost } from "./network-cost.ts";

const priced = {
  source_currency: fiatShown.describe("The fiat currency that you collect, as an ISO 4217 code such as KES"),
  destination_currency: cryptoShown.describe("The symbol of the token that the wallet receives, such as USDT"),
  chain: chainShown,
};
const platformFee = exactAmount("The fixed fee of each settlement, in units of destination_currency");

/** What the partner may quote (contract, part 9 "Shapes"). */
export const pairSchema = z.object({
  ...priced,
  minimum_source_amount: z
    .int()
    .describe("The smallest amount, in minor units of source_currency. A smaller amount is refused with amount_too_small"),
  maximum_source_amount: z
    .int()
    .describe(
      "The largest amount that needs no approval, in minor units of source_currency. A larger settlement waits for an operator's approval",
    ),
  batch_maximum_source_amount: z
    .int()
    .nullable()
    .describe(
      "The largest sum of a batch that needs no approval, in minor units of source_currency. A larger batch waits for an operator's approval. Null if the sum has no limit",
    ),
  platform_fee: platformFee,
  destination_decimals: z.int().describe("The most decimals that an amount in destination_currency has. Further decimals are cut off"),
  quote_lifetime_seconds: z.int().describe("The lifetime of a quote, from creation to expires_at, in seconds"),
  quoting: z
    .enum(["up", "down"])
    .describe(
      "Whether you can get quotes right now. down: creating a settlement is refused with 503, because a rate, funds or the chain are missing",
    ),
});
export const pairListSchema = z.object({ data: z.array(pairSchema).describe("The pairs, sorted by currencies and chain") });

/** An indicative price: nothing is stored, nothing is promised. */
export const previewSchema = z.object({
  ...priced,
  exchange_rate: exactAmount("Units of destination_currency for one major unit of source_currency. Your spread is included"),
  rate_unit: rateUnit,
  platform_fee: platformFee,
  as_of: timestamp.describe("When the underlying mid rate was observed"),
  source_amount: z.int().optional().describe("The amount that you asked about, in minor units of source_currency. Absent if you gave none"),
  destination_amount: exactAmount(
    "The net amount for source_amount after platform_fee, in units of destination_currency. Present only if source_amount is",
  ).optional(),
  network_cost: askedCostSchema
    .nullable()
    .optional()
    .describe(
      "What the payment to wallet_address would cost us. Null if the network does not say so just now. Present only if wallet_address is",
    ),
});

export function renderPair(pair: PairTerms & { tokenDecimals: number; quoting: "up" | "down" }): z.infer<typeof pairSchema> {
  return {
    ...toWire(pair, "sourceCurrency", "destinationCurrency", "chain"),
    minimum_source_amount: Number(pair.minimumSourceMinor),
    maximum_source_amount: Number(pair.maximumSourceMinor),
    batch_maximum_source_amount: pair.batchMaximumSourceMinor === null ? null : Number(pair.batchMaximumSourceMinor),
    platform_fee: exactNumber(publishableAmount(pair.platformFeeBase, pair.tokenDecimals)),
    destination_decimals: displayDecimals(pair.tokenDecimals),
    ...toWire(pair, "quoteLifetimeSeconds", "quoting"),
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
  /** Left out: nobody asked. */
  networkCost?: ShownCost<boolean> | null | undefined;
};

export function renderPreview(preview: Preview): z.infer<typeof previewSchema> {
  const amount = (base: bigint) => exactNumber(publishableAmount(base, preview.tokenDecimals));
  return {
    ...toWire(preview, "sourceCurrency", "destinationCurrency", "chain"),
    exchange_rate: exactNumber(preview.exchangeRate),
    rate_unit: renderRateUnit(preview.destinationCurrency, preview.sourceCurrency),
    platform_fee: amount(preview.platformFeeBase),
    as_of: instant(preview.asOf),
    ...(preview.amounts && {
      source_amount: Number(preview.amounts.sourceAmountMinor),
      destination_amount: amount(preview.amounts.destinationAmountBase),
    }),
    ...(preview.networkCost !== undefined && { network_cost: renderCost(preview.networkCost) }),
  };
}
