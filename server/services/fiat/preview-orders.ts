import { priceTopup, priceWithdrawal } from "#domain/fiat-price.ts";
import type { Topup } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";
import { priceOrder, TOPUP_FIELDS, WITHDRAWAL_FIELDS } from "./price-order.ts";
import { refuseOutside } from "./request-topup.ts";

type Asked = "partnerId" | "amountMinor" | "currency" | "chain";

/**
 * What a withdrawal of that amount would take now, the partner's fee included. Nothing is stored, and nothing is promised.
 *
 * @throws Refusal `unsupported_chain`, `unsupported_pair`, `amount_too_large`, `rate_unavailable`.
 */
export async function previewWithdrawal(ctx: Uses<"db" | "chains">, asked: Pick<Withdrawal, Asked | "sourceCurrency">) {
  const { pricing, input, kept } = await priceOrder(ctx, { ...asked, crypto: asked.sourceCurrency }, WITHDRAWAL_FIELDS);
  return { ...asked, ...priceWithdrawal(input), tokenDecimals: pricing.token.decimals, rateAsOf: kept.rateAsOf };
}

/** As {@link previewWithdrawal}, of what a top-up would send. @throws Refusal also `amount_too_small` */
export async function previewTopup(ctx: Uses<"db" | "chains">, asked: Pick<Topup, Asked | "destinationCurrency">) {
  const { pricing, input, kept } = await priceOrder(ctx, { ...asked, crypto: asked.destinationCurrency }, TOPUP_FIELDS);
  refuseOutside(pricing.terms, asked.amountMinor);
  return { ...asked, ...priceTopup(input), tokenDecimals: pricing.token.decimals, rateAsOf: kept.rateAsOf };
}
