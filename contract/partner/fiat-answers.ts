import type { z } from "zod";
import { renderMetadata, renderRateUnit } from "#contract/metadata.ts";
import { EXACT, instant, instantOrNull, type Numbers } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { availableMinor, type FiatPool } from "#domain/fiat.ts";
import { publishableAmount } from "#domain/money.ts";
import { expiryOf, type Topup, type TopupEvent, topupStatus } from "#domain/topup.ts";
import { type PayoutWait, type Withdrawal, type WithdrawalEvent, withdrawalStatus } from "#domain/withdrawal.ts";
import type {
  poolSchema,
  topupCallbackSchema,
  topupRequestResponseSchema,
  withdrawalCallbackSchema,
  withdrawRequestResponseSchema,
} from "./fiat.ts";

/** Withdrawals, top-ups and pools on the wire: in answers, and the two former in callbacks (contract, parts 6 and 9). */

type Beside = { numbers?: Numbers /** Why it waits at this moment. */; wait?: PayoutWait | null };

export function renderWithdrawal(
  withdrawal: Withdrawal,
  { numbers = EXACT, wait = null }: Beside = {},
): z.infer<typeof withdrawRequestResponseSchema> {
  return {
    id: withdrawal.id,
    status: withdrawalStatus(withdrawal),
    ...toWire(withdrawal, "externalId", "externalUserId"),
    amount: Number(withdrawal.amountMinor),
    ...toWire(withdrawal, "currency", "sourceCurrency"),
    source_amount: numbers.of(publishableAmount(withdrawal.sourceAmountBase, withdrawal.tokenDecimals)),
    ...toWire(withdrawal, "chain", "destination", "callbackUrl", "returnTxHash"),
    waiting_reason: wait?.reason ?? null,
    waiting_since: instantOrNull(wait?.since ?? null),
    waiting_until: instantOrNull(wait?.until ?? null),
    rate_unit: renderRateUnit(withdrawal.currency, withdrawal.sourceCurrency),
    ...progress(withdrawal, numbers),
  };
}

export function renderTopup(topup: Topup, numbers: Numbers = EXACT): z.infer<typeof topupRequestResponseSchema> {
  return {
    id: topup.id,
    status: topupStatus(topup),
    ...toWire(topup, "externalId", "externalUserId"),
    amount: Number(topup.amountMinor),
    ...toWire(topup, "currency", "destinationCurrency"),
    destination_amount: numbers.of(publishableAmount(topup.destinationAmountBase, topup.tokenDecimals)),
    ...toWire(topup, "chain", "walletAddress", "source", "payment", "callbackUrl"),
    expires_at: instant(expiryOf(topup)),
    paid_late_at: instantOrNull(topup.latePaidAt),
    rate_unit: renderRateUnit(topup.destinationCurrency, topup.currency),
    ...progress(topup, numbers),
  };
}

function progress(order: Withdrawal | Topup, numbers: Numbers) {
  return {
    exchange_rate: numbers.of(order.exchangeRate),
    fee: Number(order.feeMinor),
    metadata: renderMetadata(order.metadata),
    ...toWire(order, "txHash", "providerReference", "failureReason", "createdAt", "updatedAt", "completedAt"),
  };
}

export function renderPool(pool: FiatPool): z.infer<typeof poolSchema> {
  return {
    currency: pool.currency,
    total: Number(pool.totalMinor),
    reserved: Number(pool.reservedMinor),
    available: Number(availableMinor(pool)),
    minimum: Number(pool.minimumMinor),
    maximum: Number(pool.maximumMinor),
  };
}

/** The exact bytes of a callback about a withdrawal: what its GET answers at that instant, and the event. */
export function renderWithdrawalCallback(withdrawal: Withdrawal, event: WithdrawalEvent): string {
  const body: z.infer<typeof withdrawalCallbackSchema> = { event, ...renderWithdrawal(withdrawal) };
  return JSON.stringify(body);
}

/** As {@link renderWithdrawalCallback}, of a top-up. */
export function renderTopupCallback(topup: Topup, event: TopupEvent): string {
  const body: z.infer<typeof topupCallbackSchema> = { event, ...renderTopup(topup) };
  return JSON.stringify(body);
}
