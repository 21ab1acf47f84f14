import { z } from "zod";
import { caip2, instantParameter, plainText, reference } from "#contract/primitives.ts";
import { type Position, readCursor } from "#contract/settlement/v1/cursor.ts";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { parseDecimal } from "#domain/decimal.ts";
import { decimalToBase } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS } from "#domain/settlement-view.ts";
import type { SessionHolder } from "#server/services/people/sessions/authenticate-session.ts";
import type { BrowseFilter } from "#server/services/settlements/browse-settlements.ts";
import { tenantOf } from "./trpc/init.ts";

/** What a list of settlements may be narrowed by, in wire names. Strict, as every request. */

const currency = plainText(1, 16);
/** In units of the source currency, which then must be named. */
const fiat = z.string().regex(/^\d{1,16}(\.\d{1,4})?$/, { error: "must be a plain decimal" });

export const settlementFilter = z.strictObject({
  view: z.enum(SETTLEMENT_VIEWS).optional(),
  partner_id: z.uuid().optional(),
  source_currency: currency.optional(),
  destination_currency: currency.optional(),
  chain: caip2.optional(),
  merchant: reference.optional(),
  callbacks: z.enum(CALLBACK_STATES).optional(),
  amount_from: fiat.optional(),
  amount_to: fiat.optional(),
  created_from: instantParameter.optional(),
  created_to: instantParameter.optional(),
  decided_by_me: z.boolean().optional(),
  approval: z.enum(APPROVAL_CHOICES).optional(),
  /** Its quote has run out, also where a decision is still awaited. */
  lapsed: z.boolean().optional(),
  executed_from: instantParameter.optional(),
  executed_to: instantParameter.optional(),
  /** A part of the failure's reason. */
  failure: plainText(1, 128).optional(),
  /** Confirmed at least so many minutes ago, and still processing. */
  processing_minutes: z.int().min(1).max(100_000).optional(),
  /** Failed since midnight, UTC. */
  failed_today: z.boolean().optional(),
});
type FilterInput = z.output<typeof settlementFilter>;


/** The list's filter; the partner is the session's, and only the operator's people may name one. */
export function readFilter(input: FilterInput, holder: SessionHolder): BrowseFilter {
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

/** @throws Refusal `validation_failed` for what is no cursor of this list. */
export function readPlace(cursor: string | null | undefined): Position | null {
  if (cursor === undefined || cursor === null) return null;
  const place = readCursor(cursor);
  if (place !== null) return place;
  throw new Refusal("validation_failed", {
    errors: [{ pointer: "/cursor", code: "malformed_cursor", message: "is no cursor of this list" }],
  });
}
