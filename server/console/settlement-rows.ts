import { AS_READ, instant } from "#contract/primitives.ts";
import { renderSettlement, type SettlementWire } from "#contract/settlement/v1/settlement.ts";
import { toWire } from "#contract/wire.ts";
import type { Callback } from "#domain/callback.ts";
import { explorerPageOf } from "#domain/chain-info.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import { waitsForCap } from "#domain/signer-caps.ts";
import type { Waiting } from "#domain/transfer.ts";
import type { ChainInfo } from "#server/ports.ts";
import type { BrowsedSettlement } from "#server/services/settlements/browse-settlements.ts";
import type { HistoryEntry, Payment } from "#server/services/settlements/read-settlement-story.ts";

/** A settlement as its partner is answered, with numbers as they are read. */
export function showSettlement(
  settlement: Settlement,
  undelivered: readonly Callback[] = [],
  waiting: Waiting | null = null,
): SettlementWire {
  return renderSettlement(settlement, undelivered, waiting, AS_READ);
}

/** A settlement in the console's lists: as the partner sees it, whose it is, and its amounts as exact decimals in units of their currencies. */
export function renderSettlementRow(
  { settlement, partner, callbacks }: BrowsedSettlement,
  undelivered: readonly Callback[] = [],
  waiting: Waiting | null = null,
) {
  const { quote, tokenDecimals, sourceAmountMinor, sourceCurrency } = settlement;
  const amounts = {
    source: fiatAmount(sourceAmountMinor, sourceCurrency),
    gross: tokenAmount(quote.grossBase, tokenDecimals),
    fee: tokenAmount(quote.platformFeeBase, tokenDecimals),
    net: tokenAmount(quote.destinationAmountBase, tokenDecimals),
  };
  return { settlement: showSettlement(settlement, undelivered, waiting), partner, callbacks, amounts };
}

/** A price with everything it was made of; amounts are exact decimals as texts. `inside`: with what only the operator sees. */
export function renderQuote(quote: Quote, tokenDecimals: number, inside: boolean) {
  return {
    ...toWire(quote, "version", "rateAsOf", "pricedAt", "expiresAt"),
    exchange_rate: formatDecimal(quote.exchangeRate),
    /** What the rate was before the spread; null: not for the asker's eyes. */
    mid_rate: inside ? formatDecimal(quote.midRate) : null,
    spread_bps: inside ? quote.spreadBps : null,
    rate_source: inside ? quote.rateSource : null,
    gross_amount: tokenAmount(quote.grossBase, tokenDecimals),
    platform_fee: tokenAmount(quote.platformFeeBase, tokenDecimals),
    destination_amount: tokenAmount(quote.destinationAmountBase, tokenDecimals),
  };
}

/** One entry of the audit log. Partners' users see the operator's users and keys as one actor: who it was is internal to the operator. */
export function renderHistory(entry: HistoryEntry, inside: boolean) {
  const isOurs = entry.action === "settlement.approved" || entry.action === "settlement.rejected";
  const hidden = !inside && isOurs && entry.actorType !== "system";
  return {
    ...toWire(entry, "id", "at", "action", "objectId"),
    change: entry.change,
    actor: hidden ? { type: "operator", name: null } : { type: entry.actorType, name: entry.actorName },
    reason: inside || entry.action !== "settlement.approved" ? entry.reason : null,
    request_id: hidden ? null : entry.requestId,
  };
}

/** The payment on the chain. `paidOn`: the chain as configured; null: no longer served. `inside`: with what is for the operator's eyes. */
export function renderPayment(payment: Payment, paidOn: ChainInfo | null, inside: boolean) {
  const { transfer, height } = payment;
  const confirmationsNeeded = paidOn?.confirmations ?? null;
  const depth = transfer.blockNumber === null || height === null ? 0 : Math.max(0, height - transfer.blockNumber + 1);
  return {
    transfer_id: transfer.id,
    ...toWire(transfer, "state", "failureReason", "txHash", "blockNumber", "createdAt", "executedAt"),
    /** Why it makes no progress; null: it does, or the user may not see that. */
    waiting_reason: inside ? transfer.waitingReason : null,
    /** For which cap of the signer it waits; null: for none. */
    signer_cap: inside ? waitsForCap(transfer.waitingReason) : null,
    review_reason: inside ? transfer.reviewReason : null,
    from: payment.wallet,
    to: transfer.recipient,
    nonce: inside ? payment.nonce : null,
    confirmations: transfer.state === "executed" ? Math.max(depth, confirmationsNeeded ?? depth) : depth,
    confirmations_needed: confirmationsNeeded,
    chain_height: height,
    /** The age of the newest known block of the chain; null: none is known. */
    head_age_seconds: payment.headAgeSeconds === null ? null : Math.max(0, payment.headAgeSeconds),
    /** Of a packed transaction, its share. */
    network_fee: inside ? networkFee(payment.feeBase, payment.feeToken, paidOn) : null,
    /** How many payments its transaction makes; null: it has one of its own. */
    packed_with: payment.packedWith,
    /** The block explorer's page of the transaction; null: there is none yet, or no explorer. */
    explorer_url: paidOn !== null && transfer.txHash !== null ? explorerPageOf(paidOn, transfer.txHash) : null,
    updated_at: instant(payment.updatedAt),
    attempts: payment.attempts.map((attempt) => ({
      ...toWire(attempt, "hash", "number", "kind", "signedAt", "broadcastAt"),
      max_fee_per_gas: attempt.maxFeePerGas?.toString() ?? null,
      gas_limit: attempt.gasLimit?.toString() ?? null,
      /** Where payments lapse, the most that the chain can take for it. */
      fee_at_most: networkFee(attempt.feeAtMost, payment.feeToken, paidOn),
      /** What it used of what the chain meters, in the chain's units; null: it is not final, or the user may not see that. */
      used: inside ? attempt.used : null,
    })),
  };
}

/** A fee in the chain's coin, or in the token that it is paid in; null: nothing yet. */
function networkFee(feeBase: bigint | null, token: string | null, paidOn: ChainInfo | null) {
  const coin = paidOn?.tokens.find(({ address }) => address === token);
  if (feeBase === null || coin === undefined) return null;
  return { amount: tokenAmount(feeBase, coin.decimals), currency: coin.currency };
}
