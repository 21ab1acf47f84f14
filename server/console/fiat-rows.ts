import { renderTopup, renderWithdrawal } from "#contract/partner/fiat-answers.ts";
import { AS_READ, instant, instantOrNull } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { availableMinor, poolShares } from "#domain/fiat.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import type { Topup } from "#domain/topup.ts";
import type { PayoutWait, Withdrawal } from "#domain/withdrawal.ts";
import type { OrderStory } from "#server/services/fiat/order-stories.ts";
import type { AmbiguousOrder, BrowsedTopup, BrowsedWithdrawal } from "#server/services/fiat/read-orders.ts";
import type { PoolFigures } from "#server/services/ledger/read-books.ts";
import { renderCallbackDetail } from "./callback-rows.ts";
import { renderHistory } from "./settlement-rows.ts";

/** Orders of fiat and the pools that they are paid out of. Amounts are exact decimals as texts. `inside`: with what only the operator sees. */

export function renderWithdrawalRow({ withdrawal, ...rest }: BrowsedWithdrawal, inside: boolean, wait: PayoutWait | null = null) {
  return {
    withdrawal: renderWithdrawal(withdrawal, { numbers: AS_READ, wait }),
    step: withdrawal.step,
    ...sharedFields(rest, withdrawal, inside),
    amounts: withdrawalAmounts(withdrawal),
    price: priceOf(withdrawal, inside),
    safe_address: withdrawal.safeAddress,
    treasury_address: inside ? withdrawal.treasuryAddress : null,
  };
}

export function renderTopupRow({ topup, ...rest }: BrowsedTopup, inside: boolean) {
  return {
    topup: renderTopup(topup, AS_READ),
    step: topup.step,
    ...sharedFields(rest, topup, inside),
    amounts: topupAmounts(topup),
    price: priceOf(topup, inside),
  };
}

type OrderFacts = Omit<BrowsedTopup, "topup">;

function sharedFields(
  { partner, memberName, waitingReason, acceptedAt, ambiguousSince }: OrderFacts,
  order: Topup | Withdrawal,
  inside: boolean,
) {
  const { memberId, externalUserId } = order;
  const member = memberId === null || externalUserId === null ? null : { id: memberId, external_user_id: externalUserId, name: memberName };
  return {
    partner,
    member,
    provider: inside ? order.provider : null,
    waiting_reason: inside ? waitingReason : null,
    accepted_at: instantOrNull(acceptedAt),
    ambiguous_since: inside ? instantOrNull(ambiguousSince) : null,
    is_cancelled: order.cancelledAt !== null,
  };
}

/** `amount` is paid out; `total`, with the fee, is what the crypto is sold for. */
export function withdrawalAmounts({ amountMinor, feeMinor, currency: fiat, sourceAmountBase, tokenDecimals }: Withdrawal) {
  return {
    amount: fiatAmount(amountMinor, fiat),
    fee: fiatAmount(feeMinor, fiat),
    total: fiatAmount(amountMinor + feeMinor, fiat),
    crypto: tokenAmount(sourceAmountBase, tokenDecimals),
  };
}

/** `amount` is collected; `total`, without the fee, is what the crypto is bought for. */
export function topupAmounts({ amountMinor, feeMinor, currency: fiat, destinationAmountBase, tokenDecimals }: Topup) {
  return {
    amount: fiatAmount(amountMinor, fiat),
    fee: fiatAmount(feeMinor, fiat),
    total: fiatAmount(amountMinor - feeMinor, fiat),
    crypto: tokenAmount(destinationAmountBase, tokenDecimals),
  };
}

export function priceOf(order: Topup | Withdrawal, inside: boolean) {
  return {
    exchange_rate: formatDecimal(order.exchangeRate),
    fee_percentage: formatDecimal(order.chargeFeePercentage),
    rate_as_of: instant(order.rateAsOf),
    mid_rate: inside ? formatDecimal(order.midRate) : null,
    spread_bps: inside ? order.spreadBps : null,
    rate_source: inside ? order.rateSource : null,
  };
}

/** The history of one order. The provider's reports are only for the operator; a partner sees their effect. */
export function renderOrderStory({ history, events, callbackList }: OrderStory, inside: boolean) {
  const heard = inside ? events : [];
  return {
    history: history.map((entry) => renderHistory(entry, inside)),
    provider_events: heard.map((event) => ({
      ...toWire(event, "id", "source", "status", "reference", "reason", "effect", "body"),
      at: instant(event.receivedAt),
    })),
    callback_list: callbackList.map((callback) => renderCallbackDetail(callback, inside)),
  };
}

export function renderAmbiguous({ partnerName, amountMinor, ...order }: AmbiguousOrder) {
  return {
    ...toWire(order, "id", "kind", "currency", "since", "reason"),
    partner: partnerName,
    amount: fiatAmount(amountMinor, order.currency),
  };
}

/** Marks and history are the operator's own. */
export function renderPoolFigures(pool: PoolFigures, inside: boolean) {
  const amount = (minor: bigint) => fiatAmount(minor, pool.currency);
  const available = availableMinor(pool);
  const days = inside ? pool.days : [];
  return {
    currency: pool.currency,
    total: amount(pool.totalMinor),
    reserved: amount(pool.reservedMinor),
    available: amount(available),
    pending_in: amount(pool.pendingInMinor),
    minimum: amount(pool.minimumMinor),
    maximum: amount(pool.maximumMinor),
    low_water: inside ? amount(pool.lowWaterMinor) : null,
    is_low: inside && available < pool.lowWaterMinor,
    shares: toWire(poolShares(pool), "available", "reserved", "pendingIn"),
    provider: pool.provider && {
      ...toWire(pool.provider, "answeredAt", "differsSince", "problem"),
      balance: pool.provider.balanceMinor === null ? null : amount(pool.provider.balanceMinor),
      difference: pool.provider.differenceMinor ? amount(pool.provider.differenceMinor) : null,
    },
    days: days.map(({ day, inMinor, outMinor, totalMinor }) => {
      return { day: instant(day), in: amount(inMinor), out: amount(outMinor), total: amount(totalMinor) };
    }),
  };
}
