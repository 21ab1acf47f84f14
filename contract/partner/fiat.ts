import { z } from "zod";
import { caip2, callbackUrl, minorAmount, plainText, reference, timestamp } from "#contract/primitives.ts";
import { ACCOUNT_TYPES, FIAT_STATUSES } from "#domain/fiat.ts";
import { TOPUP_EVENTS } from "#domain/topup.ts";
import { WITHDRAWAL_EVENTS } from "#domain/withdrawal.ts";
import { cryptoCurrencySchema, fiatCurrencySchema } from "./rates.ts";

/** Fiat in and out (contract, parts 6 and 9). */

const status = z.enum(FIAT_STATUSES);

const account = { type: z.enum(ACCOUNT_TYPES), account: plainText(1, 64) };
const payee = z.strictObject({ ...account, name: plainText(1, 128) });
const payer = z.strictObject(account);

const progress = {
  exchange_rate: z.number(),
  fee: z.int().describe("The partner's fee, in minor units"),
  tx_hash: z.string().nullable(),
  provider_reference: z.string().nullable(),
  failure_reason: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  completed_at: timestamp.nullable(),
};

const withdrawFields = {
  external_id: reference.describe("Unique among the partner's withdrawals"),
  amount: minorAmount.describe("To pay out, in minor units"),
  currency: fiatCurrencySchema,
  source_currency: cryptoCurrencySchema.describe("What is taken from the Safe"),
  chain: caip2,
  destination: payee,
  callback_url: callbackUrl.optional(),
};
export const withdrawCreateSchema = z.strictObject(withdrawFields);
export const withdrawPartnerCreateSchema = z.strictObject({ ...withdrawFields, external_user_id: reference });

export const withdrawRequestResponseSchema = z.object({
  id: z.string().describe("wd_…"),
  status,
  external_id: z.string(),
  external_user_id: z.string().nullable().describe("Null where the partner's own Safe pays"),
  amount: z.int(),
  currency: z.string(),
  source_currency: z.string(),
  source_amount: z.number().describe("Taken from the Safe, in crypto units"),
  chain: z.string(),
  destination: z.object({ type: z.string(), account: z.string(), name: z.string() }),
  callback_url: z.string().nullable(),
  return_tx_hash: z.string().nullable().describe("What gave the crypto back after a payout that failed; null: nothing was given back"),
  ...progress,
});
export const withdrawPartnerResponseSchema = withdrawRequestResponseSchema.extend({ external_user_id: z.string() });

/** What a callback about a withdrawal says: what its GET answers at that instant, and the event. */
export const withdrawalCallbackSchema = withdrawRequestResponseSchema.extend({ event: z.enum(WITHDRAWAL_EVENTS) });

/** What can be paid out of one currency, in minor units. */
export const poolSchema = z.object({
  currency: z.string(),
  total: z.int(),
  reserved: z.int(),
  available: z.int(),
  minimum: z.int(),
  maximum: z.int(),
});

export const topupRequestCreateSchema = z.strictObject({
  external_id: reference.describe("Unique among the partner's top-ups"),
  external_user_id: reference,
  amount: minorAmount.describe("To collect, in minor units"),
  currency: fiatCurrencySchema,
  destination_currency: cryptoCurrencySchema,
  chain: caip2,
  source: payer,
  callback_url: callbackUrl.optional(),
});

export const topupRequestResponseSchema = z.object({
  id: z.string().describe("tu_…"),
  status,
  external_id: z.string(),
  external_user_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  destination_currency: z.string(),
  destination_amount: z.number().describe("Delivered to the wallet, in crypto units"),
  chain: z.string(),
  wallet_address: z.string(),
  source: z.object({ type: z.string(), account: z.string() }),
  payment: z.object({ reference: z.string().nullable(), instructions: z.string().nullable() }),
  callback_url: z.string().nullable(),
  expires_at: timestamp.describe("Until when it can be paid; unpaid it fails then"),
  paid_late_at: timestamp
    .nullable()
    .describe("When it was paid although it had expired: nothing is sent for it, and the operator sees to the money"),
  ...progress,
});

/** What a callback about a top-up says: what its GET answers at that instant, and the event. */
export const topupCallbackSchema = topupRequestResponseSchema.extend({ event: z.enum(TOPUP_EVENTS) });

/** What the fiat provider tells. It may tell more than is asked for: the provider's additions are passed over. */
export const providerCallbackSchema = z.object({
  order_id: plainText(1, 64).describe("Our wd_… or tu_…"),
  reference: plainText(1, 256),
  status: z.enum(["succeeded", "failed"]),
  reason: plainText(0, 1_000).nullable().optional(),
});
export const providerReceiptSchema = z.object({ received: z.literal(true) });
