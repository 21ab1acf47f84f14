import { z } from "zod";
import { renderTopup, renderWithdrawal } from "#contract/partner/fiat-answers.ts";
import { caip2, callbackUrl, instant, instantOrNull, instantParameter, plainText, reference } from "#contract/primitives.ts";
import { type Decimal, formatDecimal } from "#domain/decimal.ts";
import { ACCOUNT_TYPES, FIAT_STATUSES } from "#domain/fiat.ts";
import { baseToDecimal, fiatAmount } from "#domain/money.ts";
import type { Topup } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { walkFields } from "#server/console/walk.ts";

/** What is asked about fiat in and out, and what is answered of single orders. Amounts are exact decimals as texts. */

const currency = plainText(1, 16);
/** In units of the currency. */
const amount = z.string().regex(/^\d{1,16}(\.\d{1,4})?$/, { error: "must be a plain decimal" });

export const orderPage = z.strictObject({
  partner_id: z.uuid().optional(),
  status: z.enum(FIAT_STATUSES).optional(),
  currency: currency.optional(),
  member_id: z.uuid().optional(),
  search: plainText(1, 128).optional(),
  created_from: instantParameter.optional(),
  created_to: instantParameter.optional(),
  ...walkFields,
});
export type OrderPageInput = z.output<typeof orderPage>;
export const oneOrder = z.strictObject({ id: plainText(1, 64) });

const account = { type: z.enum(ACCOUNT_TYPES), account: plainText(1, 64) };

export const withdrawInput = z.strictObject({
  external_id: reference,
  /** null: out of the partner's own Safe. */
  external_user_id: reference.nullable(),
  amount,
  currency,
  source_currency: currency,
  chain: caip2,
  destination: z.strictObject({ ...account, name: plainText(1, 128) }),
  callback_url: callbackUrl.optional(),
});
export type WithdrawInput = z.output<typeof withdrawInput>;

export const topupInput = z.strictObject({
  external_id: reference,
  external_user_id: reference,
  amount,
  currency,
  destination_currency: currency,
  chain: caip2,
  source: z.strictObject(account),
  callback_url: callbackUrl.optional(),
});
export type TopupInput = z.output<typeof topupInput>;

/** `request_key`: one a dialog, so that a second click books nothing. */
export const fundInput = z.strictObject({ currency, amount, request_key: z.uuid() });

const ambiguousOrder = { id: plainText(1, 64), kind: z.enum(["withdrawal", "topup"]), reason: plainText(8, 1_000) };

/** What an operator found out with the provider. `moved`: the money, under the reference that the provider has it by. */
export const ambiguousResolution = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.literal("moved"), ...ambiguousOrder, reference: plainText(1, 256) }),
  z.strictObject({ outcome: z.literal("not_moved"), ...ambiguousOrder }),
  z.strictObject({ outcome: z.literal("ask_again"), ...ambiguousOrder }),
]);

type Ambiguous = {
  id: string;
  kind: "withdrawal" | "topup";
  partnerName: string;
  amountMinor: bigint;
  currency: string;
  since: Date;
  reason: string;
};

export function renderAmbiguous({ id, kind, partnerName, amountMinor, currency, since, reason }: Ambiguous) {
  return { id, kind, partner: partnerName, amount: fiatAmount(amountMinor, currency), currency, since: instant(since), reason };
}

type Beside = {
  partner: { id: string; name: string };
  memberName: string | null;
  waitingReason: string | null;
  acceptedAt: Date | null;
  ambiguousSince: Date | null;
};

/** `inside`: with what only the operator sees. */
export function renderWithdrawalRow({ withdrawal, ...beside }: Beside & { withdrawal: Withdrawal }, inside: boolean) {
  return {
    withdrawal: renderWithdrawal(withdrawal),
    step: withdrawal.step,
    ...besideOf(beside, withdrawal, inside),
    amounts: withdrawalAmounts(withdrawal),
    price: priceOf(withdrawal, inside),
    safe_address: withdrawal.safeAddress,
    treasury_address: inside ? withdrawal.treasuryAddress : null,
  };
}
export type WithdrawalRowWire = ReturnType<typeof renderWithdrawalRow>;

export function renderTopupRow({ topup, ...beside }: Beside & { topup: Topup }, inside: boolean) {
  return {
    topup: renderTopup(topup),
    step: topup.step,
    ...besideOf(beside, topup, inside),
    amounts: topupAmounts(topup),
    price: priceOf(topup, inside),
  };
}
export type TopupRowWire = ReturnType<typeof renderTopupRow>;

function besideOf({ partner, memberName, waitingReason, acceptedAt, ambiguousSince }: Beside, order: Topup | Withdrawal, inside: boolean) {
  const { memberId, externalUserId } = order;
  const member = memberId === null || externalUserId === null ? null : { id: memberId, external_user_id: externalUserId, name: memberName };
  return {
    partner,
    member,
    waiting_reason: inside ? waitingReason : null,
    accepted_at: instantOrNull(acceptedAt),
    ambiguous_since: inside ? instantOrNull(ambiguousSince) : null,
  };
}

/** `amount` is paid out; `total`, with the fee, is what the crypto is sold for. */
export function withdrawalAmounts({ amountMinor, feeMinor, currency: fiat, sourceAmountBase, tokenDecimals }: Withdrawal) {
  return {
    amount: fiatAmount(amountMinor, fiat),
    fee: fiatAmount(feeMinor, fiat),
    total: fiatAmount(amountMinor + feeMinor, fiat),
    crypto: inUnits(sourceAmountBase, tokenDecimals),
  };
}

/** `amount` is collected; `total`, without the fee, is what the crypto is bought for. */
export function topupAmounts({ amountMinor, feeMinor, currency: fiat, destinationAmountBase, tokenDecimals }: Topup) {
  return {
    amount: fiatAmount(amountMinor, fiat),
    fee: fiatAmount(feeMinor, fiat),
    total: fiatAmount(amountMinor - feeMinor, fiat),
    crypto: inUnits(destinationAmountBase, tokenDecimals),
  };
}

type Priced = {
  exchangeRate: Decimal;
  midRate: Decimal;
  spreadBps: number;
  rateSource: string;
  rateAsOf: Date;
  chargeFeePercentage: Decimal;
};

export function priceOf(order: Priced, inside: boolean) {
  return {
    exchange_rate: formatDecimal(order.exchangeRate),
    fee_percentage: formatDecimal(order.chargeFeePercentage),
    rate_as_of: instant(order.rateAsOf),
    mid_rate: inside ? formatDecimal(order.midRate) : null,
    spread_bps: inside ? order.spreadBps : null,
    rate_source: inside ? order.rateSource : null,
  };
}

export function inUnits(base: bigint, decimals: number): string {
  return formatDecimal(baseToDecimal(base, decimals));
}
