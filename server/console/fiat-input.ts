import type { OrderPageInput, TopupInput, WithdrawInput } from "#contract/console/fiat.ts";
import type { By } from "#domain/access.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { parseDecimal } from "#domain/decimal.ts";
import { decimalToBase } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import type { OrderFilter } from "#server/services/fiat/browse-orders.ts";
import type { RequestWithdrawal } from "#server/services/fiat/draw-up-withdrawal.ts";
import type { RequestTopup } from "#server/services/fiat/request-topup.ts";
import { tenantOf } from "./trpc/init.ts";

/** The list's filter; the partner is the session's, and only the operator's people may name one. */
export function readOrderFilter(
  input: Omit<OrderPageInput, "limit" | "cursor" | "direction">,
  holder: { partnerId: string | null },
): OrderFilter {
  const own = tenantOf(holder);
  return {
    ...(own.partnerId === undefined && input.partner_id !== undefined ? { partnerId: input.partner_id } : own),
    ...(input.status && { status: input.status }),
    ...(input.currency && { currency: input.currency }),
    ...(input.member_id && { memberId: input.member_id }),
    ...(input.search && { search: input.search }),
    ...(input.created_from && { createdFrom: input.created_from }),
    ...(input.created_to && { createdTo: input.created_to }),
  };
}

type Asker = { partnerId: string; apiKeyId: string; by: By };

export function toWithdrawal(asker: Asker, input: WithdrawInput): RequestWithdrawal {
  return {
    ...asker,
    externalId: input.external_id,
    externalUserId: input.external_user_id,
    amountMinor: readFiat(input.amount, input.currency),
    currency: input.currency,
    sourceCurrency: input.source_currency,
    chain: input.chain,
    destination: input.destination,
    callbackUrl: input.callback_url ?? null,
  };
}

export function toTopup(asker: Asker, input: TopupInput): RequestTopup {
  return {
    ...asker,
    externalId: input.external_id,
    externalUserId: input.external_user_id,
    amountMinor: readFiat(input.amount, input.currency),
    currency: input.currency,
    destinationCurrency: input.destination_currency,
    chain: input.chain,
    source: input.source,
    callbackUrl: input.callback_url ?? null,
  };
}

/** Units as people write them, in minor units. @throws Refusal `validation_failed`, `unsupported_pair` */
export function readFiat(amount: string, currency: string): bigint {
  const exponent = findFiatCurrency(currency)?.exponent;
  if (exponent === undefined) throw new Refusal("unsupported_pair", { detail: "There is no such currency." });
  const value = parseDecimal(amount);
  const minor = value === null ? null : decimalToBase(value, exponent);
  if (minor !== null && minor > 0n && minor <= BigInt(Number.MAX_SAFE_INTEGER)) return minor;
  const message = exponent === 0 ? `must be whole ${currency}` : `must be more than nothing, with at most ${exponent} decimals`;
  throw new Refusal("validation_failed", { errors: [{ pointer: "/amount", code: "invalid_amount", message }] });
}
