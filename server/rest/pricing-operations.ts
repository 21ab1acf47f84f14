import { listPairsOperation, previewRateOperation } from "#contract/settlement/v1/operations.ts";
import { renderPair, renderPreview } from "#contract/settlement/v1/pricing.ts";
import { estimateCost } from "#server/services/rates/estimate-cost.ts";
import { listPairs } from "#server/services/rates/list-pairs.ts";
import { previewRate } from "#server/services/rates/preview-terms.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";

/** What may be quoted, and at what price just now (contract, part 2). */

export const PRICING: readonly Binding[] = [
  bind(listPairsOperation, async (ctx, { partnerId }) => {
    const pairs = await listPairs(ctx, { partnerId });
    return {
      body: { data: pairs.map(({ terms, token, quoting }) => renderPair({ ...terms, tokenDecimals: token.decimals, quoting })) },
    };
  }),
  bindAfter(
    previewRateOperation,
    async (ctx, { query: { chain, destination_currency: destinationCurrency, wallet_address: walletAddress } }) =>
      walletAddress === undefined ? undefined : await estimateCost(ctx, { chain, destinationCurrency, walletAddress }),
    async (ctx, { query, partnerId }, networkCost) => {
      const preview = await previewRate(ctx, {
        partnerId,
        sourceCurrency: query.source_currency,
        destinationCurrency: query.destination_currency,
        chain: query.chain,
        sourceAmountMinor: query.source_amount === undefined ? null : BigInt(query.source_amount),
      });
      return { body: renderPreview({ ...preview, networkCost }) };
    },
  ),
];
