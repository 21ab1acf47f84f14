import { z } from "zod";
import { instant, plainText } from "#contract/primitives.ts";
import { writtenCost } from "#contract/settlement/v1/network-cost.ts";
import { renderSettlement } from "#contract/settlement/v1/settlement.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { formatDecimal, multiply } from "#domain/decimal.ts";
import { displayDecimals, fiatAmount, tokenAmount } from "#domain/money.ts";
import { priceChange } from "#domain/price-change.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import { traceIdOf } from "#domain/trace.ts";
import { personProcedure, tenantOf } from "#server/console/trpc/init.ts";
import { listUndeliveredCallbacks, readCallbacksOf } from "#server/services/callbacks/read-callbacks.ts";
import { reportTime } from "#server/services/maintenance/clock.ts";
import { costOfSettlement } from "#server/services/rates/estimate-cost.ts";
import { browseSettlements, readRows } from "#server/services/settlements/browse-settlements.ts";
import { listWaits } from "#server/services/settlements/list-waits.ts";
import { proveSettlement } from "#server/services/settlements/prove-settlement.ts";
import { readPaymentReceipt } from "#server/services/settlements/read-payment-receipt.ts";
import { readSettlementStory } from "#server/services/settlements/read-settlement-story.ts";
import { renderCallbackDetail } from "./callback-rows.ts";
import { readFilter, settlementFilter } from "./settlement-filter.ts";
import { renderHistory, renderPayment, renderQuote, renderSettlementRow } from "./settlement-rows.ts";

const txId = { tx_id: plainText(1, 64) };

/** One settlement in full. Part of the settlements' router. */
export const oneSettlementProcedures = {
  byId: personProcedure.input(z.strictObject(txId)).query(async ({ ctx: { services, settings, holder }, input }) => {
    const story = await readSettlementStory(services, { id: input.tx_id, ...tenantOf(holder) });
    const { settlement, quotes } = story;
    const [first, last] = [quotes[0], quotes.at(-1)];
    const inside = holder.partnerId === null;
    const undelivered = (await listUndeliveredCallbacks(services, [settlement.id])).get(settlement.id) ?? [];
    const waiting = (await listWaits(services, [settlement])).get(settlement.id);
    const row = renderSettlementRow(story, undelivered, waiting);
    return {
      ...row,
      /** The exact text of `GET /api/v1/settlements/{tx_id}`, indented. */
      raw: JSON.stringify(renderSettlement(settlement, undelivered, waiting), null, 2),
      source_exponent: findFiatCurrency(settlement.sourceCurrency)?.exponent ?? 0,
      written_decimals: displayDecimals(settlement.tokenDecimals),
      creation_callback_url: settlement.creationCallbackUrl,
      terminal_callback_url: settlement.callbackUrl,
      /** null: it was not traced. */
      trace_id: traceIdOf(settlement.trace),
      maximum_source_amount: story.maximumSourceMinor === null ? null : fiatAmount(story.maximumSourceMinor, settlement.sourceCurrency),
      quotes: story.quotes.map((quote) => ({
        ...renderQuote(quote, settlement.tokenDecimals, inside),
        ...exactProducts(settlement, quote, inside),
      })),
      /** From the first price to the one of an approval. */
      quote_change: first && last && first !== last ? priceChange(first, last, settlement.tokenDecimals) : null,
      history: story.history.map((entry) => renderHistory(entry, inside)),
      payment: story.payment && renderPayment(story.payment, story.paidOn, inside),
      callback_list: (await readCallbacksOf(services, settlement.id)).map((callback) => renderCallbackDetail(callback, inside)),
      /** The IP address and headers of a request. */
      api: { base_url: settings.baseUrl, brand: settings.brand },
      now: instant(await reportTime(services)),
    };
  }),

  /** The chain's own view of the payment, for a receipt; null: not available right now. */
  paymentReceipt: personProcedure.input(z.strictObject(txId)).query(async ({ ctx: { services, holder }, input }) => {
    const asked = { id: input.tx_id, ...tenantOf(holder) };
    const receipt = await readPaymentReceipt(services, asked);
    if (receipt === null) return null;
    const proof = services.proofs.sign === null ? null : (await proveSettlement(services, asked)).receipt;
    const { hash, blockHash, blockHeight, logIndex, networkFee } = receipt;
    return {
      hash,
      block_hash: blockHash,
      block_number: blockHeight,
      log_index: logIndex,
      /** Where anybody can verify it; null: nothing is signed here. */
      verify_url: proof === null ? null : `${services.proofs.issuer}/docs/proofs#${proof}`,
      /** What sending it cost the operator, in the chain's own coin. */
      network_fee: { amount: tokenAmount(networkFee.base, networkFee.decimals), currency: networkFee.currency },
    };
  }),

  /** What the network will take for its payment, about; null: it is over, or the network does not say so just now. */
  networkCost: personProcedure.input(z.strictObject(txId)).query(async ({ ctx: { services, holder }, input }) => {
    const cost = await costOfSettlement(services, { id: input.tx_id, ...tenantOf(holder) });
    const amount = writtenCost(cost);
    return cost && amount && { amount: formatDecimal(amount), currency: cost.currency, new_holder: cost.isNewHolder === true };
  }),

  /** The ids before and after it in a list of that filter, newest first; null at its ends. */
  neighbours: personProcedure.input(settlementFilter.extend(txId)).query(async ({ ctx: { services, holder }, input }) => {
    const { tx_id, ...wanted } = input;
    const [own] = await readRows(services, { ids: [tx_id], ...tenantOf(holder) });
    if (own === undefined) return { previous: null, next: null };
    const page = {
      filter: readFilter(wanted, holder),
      limit: 1,
      position: { createdAt: own.settlement.createdAt, id: own.settlement.id },
    };
    const [newer, older] = await Promise.all([
      browseSettlements(services, { ...page, direction: "newer" }),
      browseSettlements(services, { ...page, direction: "older" }),
    ]);
    return { previous: newer.items[0]?.settlement.id ?? null, next: older.items[0]?.settlement.id ?? null };
  }),
};

/** The products in a price before rounding. `inside`: including the spread. */
function exactProducts({ sourceAmountMinor, sourceCurrency }: Settlement, { exchangeRate, midRate, spreadBps }: Quote, inside: boolean) {
  const source = { coefficient: sourceAmountMinor, scale: findFiatCurrency(sourceCurrency)?.exponent ?? 0 };
  const afterSpread = multiply(midRate, { coefficient: BigInt(10_000 - spreadBps), scale: 4 });
  return {
    exact_gross: formatDecimal(multiply(source, exchangeRate)),
    exact_rate: inside ? formatDecimal(afterSpread) : null,
  };
}
