import { instant, instantOrNull } from "#contract/primitives.ts";
import { renderSettlement, type SettlementWire } from "#contract/settlement/v1/settlement.ts";
import type { Callback, CallbackState } from "#domain/callback.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { baseToDecimal } from "#domain/money.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import type { Waiting } from "#domain/transfer.ts";

/** A settlement in the console's lists: as the partner sees it, and whose it is. */
export type SettlementRowWire = {
  settlement: SettlementWire;
  partner: { id: string; name: string };
  callbacks: Record<CallbackState, number>;
  /** The same amounts as exact decimals in units of their currencies. */
  amounts: { source: string; gross: string; fee: string; net: string };
};

type Row = { settlement: Settlement; partner: { id: string; name: string }; callbacks: Record<CallbackState, number> };

export function renderSettlementRow(
  { settlement, partner, callbacks }: Row,
  undelivered: readonly Callback[],
  waiting: Waiting | null = null,
): SettlementRowWire {
  return { settlement: renderSettlement(settlement, undelivered, waiting), partner, callbacks, amounts: amountsOf(settlement) };
}

function amountsOf({ quote, tokenDecimals, sourceAmountMinor, sourceCurrency }: Settlement): SettlementRowWire["amounts"] {
  const amount = (base: bigint) => formatDecimal(baseToDecimal(base, tokenDecimals));
  return {
    source: fiatAmount(sourceAmountMinor, sourceCurrency),
    gross: amount(quote.grossBase),
    fee: amount(quote.platformFeeBase),
    net: amount(quote.destinationAmountBase),
  };
}

/** Minor units as people write them: `129500` of a currency with two digits is `1295.00`. */
export function fiatAmount(minor: bigint, currency: string): string {
  const exponent = findFiatCurrency(currency)?.exponent ?? 0;
  const digits = minor.toString().padStart(exponent + 1, "0");
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** A price with everything it was made of; amounts are exact decimals as texts. */
export type QuoteWire = {
  version: number;
  exchange_rate: string;
  /** What the rate was before the spread; null: not for the asker's eyes. */
  mid_rate: string | null;
  spread_bps: number | null;
  rate_source: string | null;
  rate_as_of: string;
  gross_amount: string;
  platform_fee: string;
  destination_amount: string;
  priced_at: string;
  expires_at: string;
};

/** `inside`: with what only the operator sees. */
export function renderQuote(quote: Quote, tokenDecimals: number, inside: boolean): QuoteWire {
  const amount = (base: bigint) => formatDecimal(baseToDecimal(base, tokenDecimals));
  return {
    version: quote.version,
    exchange_rate: formatDecimal(quote.exchangeRate),
    mid_rate: inside ? formatDecimal(quote.midRate) : null,
    spread_bps: inside ? quote.spreadBps : null,
    rate_source: inside ? quote.rateSource : null,
    rate_as_of: instant(quote.rateAsOf),
    gross_amount: amount(quote.grossBase),
    platform_fee: amount(quote.platformFeeBase),
    destination_amount: amount(quote.destinationAmountBase),
    priced_at: instant(quote.pricedAt),
    expires_at: instant(quote.expiresAt),
  };
}

/** One entry of the audit log. */
export type HistoryWire = {
  id: string;
  at: string;
  action: string;
  object_id: string;
  actor: { type: string; name: string | null };
  reason: string | null;
  change: Record<string, unknown>;
  request_id: string | null;
};

type History = {
  id: string;
  at: Date;
  action: string;
  objectId: string;
  actorType: string;
  actorName: string | null;
  reason: string | null;
  change: Record<string, unknown>;
  requestId: string | null;
};

/** To a partner the operator's people and keys are one: who of them it was is not its business. */
export function renderHistory(entry: History, inside: boolean): HistoryWire {
  const isOurs = entry.action === "settlement.approved" || entry.action === "settlement.rejected";
  const hidden = !inside && isOurs && entry.actorType !== "system";
  return {
    id: entry.id,
    at: instant(entry.at),
    action: entry.action,
    object_id: entry.objectId,
    actor: hidden ? { type: "operator", name: null } : { type: entry.actorType, name: entry.actorName },
    reason: inside || entry.action !== "settlement.approved" ? entry.reason : null,
    change: entry.change,
    request_id: hidden ? null : entry.requestId,
  };
}

/** The payment on the chain. */
export type PaymentWire = {
  transfer_id: string;
  state: string;
  /** Why it does not move; null: it does, or that is not for the asker's eyes. */
  waiting_reason: string | null;
  review_reason: string | null;
  failure_reason: string | null;
  from: string | null;
  to: string;
  nonce: number | null;
  tx_hash: string | null;
  block_number: number | null;
  confirmations: number;
  confirmations_needed: number | null;
  chain_height: number | null;
  /** How old the newest block of the chain is that is known; null: none is. */
  head_age_seconds: number | null;
  /** What its final transactions have cost, in the chain's coin; null: nothing yet, or not for these eyes. */
  network_fee: { amount: string; currency: string } | null;
  /** Where people look at the transaction; null: there is none yet, or nowhere. */
  explorer_url: string | null;
  created_at: string;
  updated_at: string;
  executed_at: string | null;
  attempts: {
    hash: string;
    number: number;
    kind: string;
    max_fee_per_gas: string;
    gas_limit: string;
    signed_at: string;
    broadcast_at: string | null;
  }[];
};

type Payment = {
  transfer: {
    id: string;
    state: string;
    waitingReason: string | null;
    reviewReason: string | null;
    failureReason: string | null;
    recipient: string;
    txHash: string | null;
    blockNumber: number | null;
    createdAt: Date;
    executedAt: Date | null;
  };
  updatedAt: Date;
  wallet: string | null;
  nonce: number | null;
  height: number | null;
  headAgeSeconds: number | null;
  feeBase: bigint | null;
  attempts: {
    hash: string;
    number: number;
    kind: string;
    maxFeePerGas: bigint;
    gasLimit: bigint;
    signedAt: Date;
    broadcastAt: Date | null;
  }[];
};

type PaidOn = {
  confirmations: number;
  explorerUrl: string | null;
  tokens: readonly { currency: string; address: string | null; decimals: number }[];
};

/** `paidOn`: the chain as configured; null: it is no longer served. `inside`: with what is for the operator's eyes. */
export function renderPayment(payment: Payment, paidOn: PaidOn | null, inside: boolean): PaymentWire {
  const { transfer, height } = payment;
  const confirmationsNeeded = paidOn?.confirmations ?? null;
  const depth = transfer.blockNumber === null || height === null ? 0 : Math.max(0, height - transfer.blockNumber + 1);
  return {
    transfer_id: transfer.id,
    state: transfer.state,
    waiting_reason: inside ? transfer.waitingReason : null,
    review_reason: inside ? transfer.reviewReason : null,
    failure_reason: transfer.failureReason,
    from: payment.wallet,
    to: transfer.recipient,
    nonce: inside ? payment.nonce : null,
    tx_hash: transfer.txHash,
    block_number: transfer.blockNumber,
    confirmations: transfer.state === "executed" ? Math.max(depth, confirmationsNeeded ?? depth) : depth,
    confirmations_needed: confirmationsNeeded,
    chain_height: height,
    head_age_seconds: payment.headAgeSeconds === null ? null : Math.max(0, payment.headAgeSeconds),
    network_fee: inside ? networkFee(payment.feeBase, paidOn) : null,
    explorer_url: paidOn?.explorerUrl && transfer.txHash !== null ? `${paidOn.explorerUrl}/tx/${transfer.txHash}` : null,
    created_at: instant(transfer.createdAt),
    updated_at: instant(payment.updatedAt),
    executed_at: instantOrNull(transfer.executedAt),
    attempts: payment.attempts.map((attempt) => ({
      hash: attempt.hash,
      number: attempt.number,
      kind: attempt.kind,
      max_fee_per_gas: attempt.maxFeePerGas.toString(),
      gas_limit: attempt.gasLimit.toString(),
      signed_at: instant(attempt.signedAt),
      broadcast_at: instantOrNull(attempt.broadcastAt),
    })),
  };
}

function networkFee(feeBase: bigint | null, paidOn: PaidOn | null): PaymentWire["network_fee"] {
  const coin = paidOn?.tokens.find(({ address }) => address === null);
  if (feeBase === null || coin === undefined) return null;
  return { amount: formatDecimal(baseToDecimal(feeBase, coin.decimals)), currency: coin.currency };
}
