import { z } from "zod";
import { caip2, instantParameter, plainText, reference } from "#contract/primitives.ts";
import { toInside } from "#contract/wire.ts";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { parseAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS } from "#domain/settlement-view.ts";
import type { SessionHolder } from "#server/services/people/sessions/sessions.ts";
import type { BrowseFilter } from "#server/services/settlements/browse-settlements.ts";
import { tenantOf } from "./trpc/init.ts";

const currency = plainText(1, 16);
/** In units of the source currency, which then must be named. */
const fiat = z.string().regex(/^\d{1,16}(\.\d{1,4})?$/, { error: "must be a plain decimal" });

/** What a list of settlements may be narrowed by. */
export const settlementFilter = z.strictObject({
  view: z.enum(SETTLEMENT_VIEWS).optional(),
  partner_id: z.uuid().optional(),
  batch_id: plainText(1, 64).optional(),
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
  /** Confirmed at least this many minutes ago, and still processing. */
  processing_minutes: z.int().min(1).max(100_000).optional(),
  /** Failed since midnight, UTC. */
  failed_today: z.boolean().optional(),
});

/** The list's filter; the partner is the session's, and only the operator's people may name one. */
export function readFilter(asked: z.output<typeof settlementFilter>, holder: SessionHolder): BrowseFilter {
  const { partnerId, merchant, callbacks, failure, amountFrom, amountTo, decidedByMe, ...same } = toInside(asked);
  const amount = (name: string, text: string) => minorOf(`/${name}`, text, same.sourceCurrency);
  return {
    ...same,
    ...tenantOf(holder, partnerId),
    ...(merchant && { externalMerchantId: merchant }),
    ...(callbacks && { callbackState: callbacks }),
    ...(failure && { failureReason: failure }),
    ...(amountFrom && { amountFrom: amount("amount_from", amountFrom) }),
    ...(amountTo && { amountTo: amount("amount_to", amountTo) }),
    ...(decidedByMe && holder.partnerId === null && { decidedBy: holder.userId }),
  };
}

/** @throws Refusal `validation_failed` without a currency, or for an amount that is too fine for it. */
function minorOf(pointer: string, amount: string, source: string | undefined): bigint {
  const exponent = source === undefined ? undefined : findFiatCurrency(source)?.exponent;
  const minor = exponent === undefined ? null : parseAmount(amount, exponent);
  if (minor !== null) return minor;
  const message = exponent === undefined ? "needs a source currency as well" : "is no amount of this currency";
  throw new Refusal("validation_failed", { errors: [{ pointer, code: "invalid_amount", message }] });
}
