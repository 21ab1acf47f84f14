import type { z } from "zod";
import { renderMetadata, renderRateUnit } from "#contract/metadata.ts";
import { EXACT, instant, instantOrNull, type Numbers } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import type { Decimal } from "#domain/decimal.ts";
import { availableMinor, type FiatPool } from "#domain/fiat.ts";
import { publishableAmount } from "#domain/money.ts";
import { expiryOf, type Topup, type TopupEvent, topupStatus } from "#domain/topup.ts";
import { type PayoutWait, type Withdrawal, type WithdrawalEvent, withdrawalStatus } from "#domain/withdrawal.ts";
import type {
  poolSchema,
  topupCallbackSchema,
  topupPreviewSchema,
  topupRequestResponseSchema,
  withdrawalCallbackSchema,
  withdrawPreviewSchema,
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
    ...toWire(order, "txHash", "providerReference", "failureReason", "createdAt", "updatedAt", "completedAt", "cancelledAt"),
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

type Preview<Side extends string, Currency extends string> = Record<Side, bigint> &
  Record<Currency, string> & {
    amountMinor: bigint;
    feeMinor: bigint;
    currency: string;
    chain: string;
    exchangeRate: Decimal;
    tokenDecimals: number;
    rateAsOf: Date;
  };

export function renderWithdrawalPreview(preview: Preview<"sourceAmountBase", "sourceCurrency">): z.infer<typeof withdrawPreviewSchema> {
  return {
    ...previewed(preview, renderRateUnit(preview.currency, preview.sourceCurrency)),
    source_currency: preview.sourceCurrency,
    source_amount: EXACT.of(publishableAmount(preview.sourceAmountBase, preview.tokenDecimals)),
  };
}

export function renderTopupPreview(preview: Preview<"destinationAmountBase", "destinationCurrency">): z.infer<typeof topupPreviewSchema> {
  return {
    ...previewed(preview, renderRateUnit(preview.destinationCurrency, preview.currency)),
    destination_currency: preview.destinationCurrency,
    destination_amount: EXACT.of(publishableAmount(preview.destinationAmountBase, preview.tokenDecimals)),
  };
}

function previewed(
  preview: Pick<Preview<never, never>, "amountMinor" | "feeMinor" | "currency" | "chain" | "exchangeRate" | "rateAsOf">,
  rate_unit: string,
) {
  return {
    amount: Number(preview.amountMinor),
    fee: Number(preview.feeMinor),
    currency: preview.currency,
    chain: preview.chain,
    exchange_rate: EXACT.of(preview.exchangeRate),
    rate_unit,
    as_of: instant(preview.rateAsOf),
  };
}
