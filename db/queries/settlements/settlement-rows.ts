import type { settlements } from "#db/schema/settlements.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";

/** Maps a settlement, which contains its quote, to a row, which has the quote's columns next to its own. */

export type Row = typeof settlements.$inferSelect;

export const QUOTE = [
  ...(["exchangeRate", "midRate", "spreadBps", "rateSource", "rateAsOf", "pairTermsId", "grossBase", "platformFeeBase"] as const),
  ...(["destinationAmountBase", "pricedAt", "expiresAt"] as const),
] as const;
/** What no change ever touches. */
export const FIXED = [
  ...([
    "partnerId",
    "apiKeyId",
    "batchId",
    "externalMerchantId",
    "sourceAmountMinor",
    "sourceCurrency",
    "destinationCurrency",
    "chain",
  ] as const),
  ...(["walletAddress", "tokenAddress", "tokenDecimals", "creationCallbackUrl", "trace", "metadata", "createdAt"] as const),
] as const;
/** What a change may touch. */
export const LIVING = [
  ...(["status", "approvalState", "externalTxId", "callbackUrl", "confirmedAt", "cancelledAt", "approvalDecidedAt"] as const),
  ...(["rejectionReason", "txHash", "executedAt", "failureReason", "failedAt", "quoteVersion"] as const),
  ...QUOTE,
] as const;

export function toRow(settlement: Settlement) {
  const { quote, ...rest } = settlement;
  const { version, ...price } = quote;
  return { ...rest, quoteVersion: version, ...price };
}

export function toSettlement(row: Row): Settlement {
  const {
    quoteVersion,
    exchangeRate,
    midRate,
    spreadBps,
    rateSource,
    rateAsOf,
    pairTermsId,
    grossBase,
    platformFeeBase,
    destinationAmountBase,
    pricedAt,
    expiresAt,
    eventsRecorded: _recorded,
    eventsPosition: _position,
    ...rest
  } = row;
  const quote: Quote = {
    version: quoteVersion,
    exchangeRate,
    midRate,
    spreadBps,
    rateSource,
    rateAsOf,
    pairTermsId,
    grossBase,
    platformFeeBase,
    destinationAmountBase,
    pricedAt,
    expiresAt,
  };
  return { ...rest, quote };
}
