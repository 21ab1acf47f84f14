import { z } from "zod";
import { exactAmount, exactNumber, instant, timestamp } from "#contract/primitives.ts";
import { chainShown, cryptoShown, fiatShown } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import type { Decimal } from "#domain/decimal.ts";
import { displayDecimals, publishableAmount } from "#domain/money.ts";
import type { PairTerms } from "#domain/pair-terms.ts";

const priced = {
  source_currency: fiatShown.describe("Fiat that is paid in, ISO 4217"),
  destination_currency: cryptoShown.describe("Symbol of the token that is paid out"),
  chain: chainShown,
};
const platformFee = exactAmount("Fixed fee of each settlement, in units of the destination currency");

/** What the partner may quote (contract, part 9 "Shapes"). */
export const pairSchema = z.object({
  ...priced,
  minimum_source_amount: z.int().describe("Minor units of the source currency; less is refused with amount_too_small"),
  maximum_source_amount: z.int().describe("Minor units of the source currency; strictly above it a settlement awaits approval"),
  batch_maximum_source_amount: z
    .int()
    .nullable()
    .describe(
      "Minor units of the source currency; strictly above it the items of a batch together await approval; null: their sum is not judged",
    ),
  platform_fee: platformFee,
  destination_decimals: z.int().describe("How many decimals amounts of the destination currency have at most; what is beyond is cut off"),
  quote_lifetime_seconds: z.int().describe("From creation to expires_at, in seconds"),
  quoting: z
    .enum(["up", "down"])
    .describe("down: creating a settlement is refused with 503 just now, for want of a rate, of funds or of the chain"),
});
export const pairListSchema = z.object({ data: z.array(pairSchema).describe("The pairs, by currencies and chain") });

/** An indicative price: nothing is stored, nothing is promised. */
export const previewSchema = z.object({
  ...priced,
  exchange_rate: exactAmount("Destination units per one major unit of the source currency, the partner's spread in it"),
  platform_fee: platformFee,
  as_of: timestamp.describe("When the mid rate behind it was observed"),
  source_amount: z.int().optional().describe("As asked, in minor units of the source currency; left out where none was asked about"),
  destination_amount: exactAmount(
    "What source_amount comes to after platform_fee, in units of the destination currency; there where source_amount is",
  ).optional(),
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
};

export function renderPreview(preview: Preview): z.infer<typeof previewSchema> {
  const amount = (base: bigint) => exactNumber(publishableAmount(base, preview.tokenDecimals));
  return {
    ...toWire(preview, "sourceCurrency", "destinationCurrency", "chain"),
    exchange_rate: exactNumber(preview.exchangeRate),
    platform_fee: amount(preview.platformFeeBase),
    as_of: instant(preview.asOf),
    ...(preview.amounts && {
      source_amount: Number(preview.amounts.sourceAmountMinor),
      destination_amount: amount(preview.amounts.destinationAmountBase),
    }),
  };
}
