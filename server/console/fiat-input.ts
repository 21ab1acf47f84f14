import { z } from "zod";
import { caip2, callbackUrl, instantParameter, plainText, reference } from "#contract/primitives.ts";
import { fromWire } from "#contract/wire.ts";
import type { By } from "#domain/access.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { ACCOUNT_TYPES, FIAT_STATUSES } from "#domain/fiat.ts";
import { parseAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { tracePlace } from "#server/observe/trace.ts";
import { checkCallbackUrl } from "#server/services/callbacks/callback-target.ts";
import type { OrderFilter } from "#server/services/fiat/read-orders.ts";
import { tenantOf } from "./trpc/init.ts";
import { walkFields } from "./walk.ts";

/** The inputs for fiat in and out. Amounts are decimals in units of their currencies, as texts. */

const currency = plainText(1, 16);
const amount = z.string().regex(/^\d{1,16}(\.\d{1,4})?$/, { error: "must be a plain decimal" });

export const orderFilter = {
  partner_id: z.uuid().optional(),
  status: z.enum(FIAT_STATUSES).optional(),
  currency: currency.optional(),
  member_id: z.uuid().optional(),
  search: plainText(1, 128).optional(),
  created_from: instantParameter.optional(),
  created_to: instantParameter.optional(),
};
export const orderPage = fromWire({ ...orderFilter, ...walkFields });
export const oneOrder = z.strictObject({ id: plainText(1, 64) });

const account = { type: z.enum(ACCOUNT_TYPES), account: plainText(1, 64) };

export const withdrawInput = fromWire({
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

export const topupInput = fromWire({
  external_id: reference,
  external_user_id: reference,
  amount,
  currency,
  destination_currency: currency,
  chain: caip2,
  source: z.strictObject(account),
  callback_url: callbackUrl.optional(),
});

/** `request_key`: one a dialog, so that a second click books nothing. */
export const fundInput = fromWire({ currency, amount, request_key: z.uuid() });

const ambiguousOrder = { id: plainText(1, 64), kind: z.enum(["withdrawal", "topup"]), reason: plainText(8, 1_000) };

/** What an operator found out with the provider. `moved`: the money, under the reference that the provider has it by. `refunded`, `settled`: what was paid late. */
export const ambiguousResolution = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.literal("moved"), ...ambiguousOrder, reference: plainText(1, 256) }),
  z.strictObject({ outcome: z.literal("not_moved"), ...ambiguousOrder }),
  z.strictObject({ outcome: z.literal("ask_again"), ...ambiguousOrder }),
  z.strictObject({ outcome: z.literal("refunded"), ...ambiguousOrder, reference: plainText(1, 256) }),
  z.strictObject({ outcome: z.literal("settled"), ...ambiguousOrder }),
]);

/** The partner is the session's, and only the operator's people may name one. */
export function ownOrders(filter: OrderFilter, holder: { partnerId: string | null }): OrderFilter {
  return { ...filter, ...tenantOf(holder) };
}

type Asker = { partnerId: string; apiKeyId: string; by: By };
type Asked = { amount: string; currency: string; callbackUrl?: string };

/** The requested order, with a checked callback URL. @throws Refusal `validation_failed`, `unsupported_pair` */
export async function readOrder<Input extends Asked>(services: Uses<"callbacks">, asker: Asker, input: Input) {
  const { amount: written, callbackUrl: url = null, ...order } = input;
  const command = { ...asker, ...order, amountMinor: readFiat(written, input.currency), callbackUrl: url, trace: tracePlace() };
  if (url !== null) await checkCallbackUrl(services, url, "/callback_url");
  return command;
}

/** Units as people write them, in minor units. @throws Refusal `validation_failed`, `unsupported_pair` */
export function readFiat(written: string, of: string): bigint {
  const exponent = findFiatCurrency(of)?.exponent;
  if (exponent === undefined) throw new Refusal("unsupported_pair", { detail: "There is no such currency." });
  const minor = parseAmount(written, exponent);
  if (minor !== null && minor > 0n && minor <= BigInt(Number.MAX_SAFE_INTEGER)) return minor;
  const message = exponent === 0 ? `must be whole ${of}` : `must be more than nothing, with at most ${exponent} decimals`;
  throw new Refusal("validation_failed", { errors: [{ pointer: "/amount", code: "invalid_amount", message }] });
}
