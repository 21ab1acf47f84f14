import type { SettlementFilterInput } from "#contract/console/requests.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { parseDecimal } from "#domain/decimal.ts";
import { decimalToBase } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SessionHolder } from "#server/services/people/sessions/authenticate-session.ts";
import type { BrowseFilter } from "#server/services/settlements/browse-settlements.ts";
import { tenantOf } from "./trpc/init.ts";

/** The list's filter; the partner is the session's, and only the operator's people may name one. */
export function readFilter(input: SettlementFilterInput, holder: SessionHolder): BrowseFilter {
  const own = tenantOf(holder);
  return {
    ...(own.partnerId === undefined && input.partner_id !== undefined ? { partnerId: input.partner_id } : own),
    ...(input.view && { view: input.view }),
    ...(input.source_currency && { sourceCurrency: input.source_currency }),
    ...(input.destination_currency && { destinationCurrency: input.destination_currency }),
    ...(input.chain && { chain: input.chain }),
    ...(input.merchant && { externalMerchantId: input.merchant }),
    ...(input.callbacks && { callbackState: input.callbacks }),
    ...(input.amount_from !== undefined && { amountFrom: minorOf("/amount_from", input.amount_from, input.source_currency) }),
    ...(input.amount_to !== undefined && { amountTo: minorOf("/amount_to", input.amount_to, input.source_currency) }),
    ...(input.created_from && { createdFrom: input.created_from }),
    ...(input.created_to && { createdTo: input.created_to }),
    ...(input.approval && { approval: input.approval }),
    ...(input.lapsed && { lapsed: true }),
    ...(input.executed_from && { executedFrom: input.executed_from }),
    ...(input.executed_to && { executedTo: input.executed_to }),
    ...(input.failure && { failureReason: input.failure }),
    ...(input.processing_minutes && { processingMinutes: input.processing_minutes }),
    ...(input.failed_today && { failedToday: true }),
    ...(input.decided_by_me && own.partnerId === undefined && { decidedBy: holder.userId }),
  };
}

/** @throws Refusal `validation_failed` without a currency, or for an amount that it has no coin for. */
function minorOf(pointer: string, amount: string, currency: string | undefined): bigint {
  const exponent = currency === undefined ? undefined : findFiatCurrency(currency)?.exponent;
  const value = parseDecimal(amount);
  const minor = exponent === undefined || value === null ? null : decimalToBase(value, exponent);
  if (minor !== null) return minor;
  const message = exponent === undefined ? "wants a source currency beside it" : "is no amount of this currency";
  throw new Refusal("validation_failed", { errors: [{ pointer, code: "invalid_amount", message }] });
}
