import { z } from "zod";
import { jsonDecimal } from "#contract/json-number.ts";
import { metadata, metadataShown, rateUnit } from "#contract/metadata.ts";
import { caip2, callbackUrl, exactAmount, minorAmount, plainText, reference, timestamp, wholeNumber } from "#contract/primitives.ts";
import { chainShown, createdAt, cryptoShown, fiatShown, updatedAt } from "#contract/shared-fields.ts";
import { ACCOUNT_TYPES, FIAT_STATUSES } from "#domain/fiat.ts";
import { TOPUP_EVENTS } from "#domain/topup.ts";
import { PAYOUT_WAITS, WITHDRAWAL_EVENTS } from "#domain/withdrawal.ts";
import { cryptoCurrencySchema, fiatCurrencySchema } from "./rates.ts";

/** Fiat in and out (contract, parts 6 and 9). */

const status = z.enum(FIAT_STATUSES).describe("The status. completed and failed are final");

const TYPE = "The kind of account";
const ACCOUNT =
  "The account. For mobile_money it is the phone number with its country code, such as +254712345678. For bank_account it is what banks of the currency use: an IBAN, or bank code and account number";
const NAME = "The payee's name, as it is on the account";

const account = { type: z.enum(ACCOUNT_TYPES).describe(TYPE), account: plainText(1, 64).describe(ACCOUNT) };
/** The same in answers, as it was given. */
const accountShown = { type: z.string().describe(TYPE), account: z.string().describe(ACCOUNT) };
const payee = z.strictObject({ ...account, name: plainText(1, 128).describe(NAME) }).describe("The account that the fiat is paid to");
const payer = z.strictObject(account).describe("The account that the fiat is collected from");
const WHEN_ENDED =
  "An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives a callback when the order has ended. Without it, no callback is sent";

const progress = {
  fee: z
    .int()
    .describe(
      "Your charge fee, in minor units of currency. It is added to the amount of a withdrawal, and deducted from the amount of a top-up",
    ),
  tx_hash: z.string().nullable().describe("The hash of the transfer's transaction. Null until the transfer is final on the chain"),
  provider_reference: z
    .string()
    .nullable()
    .describe("The fiat provider's own reference for the payment. Null until the provider reports one"),
  failure_reason: z.string().nullable().describe("Why it failed, in one sentence. Null unless it failed"),
  rate_unit: rateUnit,
  metadata: metadataShown,
  created_at: createdAt,
  updated_at: updatedAt,
  completed_at: timestamp.nullable().describe("When it was completed. Null until then"),
  cancelled_at: timestamp.nullable().describe("When you cancelled it. Its status is then failed. Null if you did not cancel it"),
};

/** The partner's own name for a withdrawal or a top-up. */
const WITHDRAWAL_NAME = "Your own reference, unique among your withdrawals";
const TOPUP_NAME = "Your own reference, unique among your top-ups";
const PAID_OUT = "The fiat to pay out, in minor units of currency. The fee is not included";
const COLLECTED = "The fiat to collect, in minor units of currency. The fee is included";
const FIAT = "The fiat currency that is paid out or collected, as an ISO 4217 code such as KES";
const TAKEN = "The symbol of the token that is taken from the Safe, such as USDT";
const SENT = "The symbol of the token that is sent to the member's wallet, such as USDT";
const PAYER = "Your own id for the member, who pays the fiat and receives the crypto";
const HAPPENED = "The event that the callback reports";
const GIVEN_URL = "The URL that the callback is sent to. Null if no callback is sent";

const withdrawFields = {
  external_id: reference.describe(WITHDRAWAL_NAME),
  amount: minorAmount.describe(PAID_OUT),
  currency: fiatCurrencySchema.describe(FIAT),
  source_currency: cryptoCurrencySchema.describe(TAKEN),
  chain: caip2,
  destination: payee,
  callback_url: callbackUrl.optional().describe(WHEN_ENDED),
  maximum_source_amount: jsonDecimal
    .optional()
    .describe(
      "The most crypto to take, in units of source_currency. If the price comes to more, the request is refused with quote_changed",
    ),
  metadata: metadata.optional(),
};
export const withdrawCreateSchema = z.strictObject(withdrawFields);
export const withdrawPartnerCreateSchema = z.strictObject({
  ...withdrawFields,
  external_user_id: reference.describe("Your own id for the member whose Safe pays"),
});

export const withdrawRequestResponseSchema = z.object({
  id: z.string().describe("The withdrawal's id. It begins with wd_"),
  status,
  external_id: z.string().describe(WITHDRAWAL_NAME),
  external_user_id: z.string().nullable().describe("Your own id for the member whose Safe pays. Null if your own Safe pays"),
  amount: z.int().describe(PAID_OUT),
  currency: fiatShown.describe(FIAT),
  source_currency: cryptoShown.describe(TAKEN),
  source_amount: exactAmount("The crypto taken from the Safe for amount and fee together, in units of source_currency"),
  chain: chainShown,
  destination: z.object({ ...accountShown, name: z.string().describe(NAME) }).describe("The account that the fiat is paid to"),
  callback_url: z.string().nullable().describe(GIVEN_URL),
  return_tx_hash: z
    .string()
    .nullable()
    .describe("The hash of the transaction that returned the crypto after a failed payout. Null if nothing was returned"),
  waiting_reason: z
    .enum(PAYOUT_WAITS)
    .nullable()
    .describe(
      "Why the withdrawal waits before its crypto is taken. new_payee: you have not paid this account before, and can check it. hold: the operator's people decide. Null if it does not wait",
    ),
  waiting_since: timestamp.nullable().describe("When it began to wait for waiting_reason. Null if it does not wait"),
  waiting_until: timestamp
    .nullable()
    .describe(
      "When the wait ends by itself. An owner can end it earlier by accepting the payee in the console. Null if it does not wait, or if people decide",
    ),
  exchange_rate: exactAmount(
    "Major units of the fiat for one unit of the crypto, such as 129.2 KES for 1 USDT. Settlements and top-ups state their rate the other way round",
  ),
  ...progress,
});
export const withdrawPartnerResponseSchema = withdrawRequestResponseSchema.extend({
  external_user_id: z.string().describe("Your own id for the member whose Safe pays"),
});

/** What a callback about a withdrawal says: what its GET answers at that instant, and the event. */
export const withdrawalCallbackSchema = withdrawRequestResponseSchema.extend({ event: z.enum(WITHDRAWAL_EVENTS).describe(HAPPENED) });

/** What can be paid out of one currency, in minor units. */
export const poolSchema = z.object({
  currency: fiatShown.describe("The fiat currency of the pool, as an ISO 4217 code. All amounts of the pool are in its minor units"),
  total: z.int().describe("The amount that the pool holds, in minor units"),
  reserved: z.int().describe("The part of total that is reserved for withdrawals in progress, in minor units"),
  available: z.int().describe("The amount available for new withdrawals, in minor units: total minus reserved"),
  minimum: z.int().describe("The smallest amount of one withdrawal, in minor units"),
  maximum: z
    .int()
    .describe(
      "The largest amount of one withdrawal, in minor units. It may exceed what the pool holds: a withdrawal must also fit into available",
    ),
});

export const topupRequestCreateSchema = z.strictObject({
  external_id: reference.describe(TOPUP_NAME),
  external_user_id: reference.describe(PAYER),
  amount: minorAmount.describe(COLLECTED),
  currency: fiatCurrencySchema.describe(FIAT),
  destination_currency: cryptoCurrencySchema.describe(SENT),
  chain: caip2,
  source: payer,
  callback_url: callbackUrl.optional().describe(WHEN_ENDED),
  minimum_destination_amount: jsonDecimal
    .optional()
    .describe(
      "The least crypto to send, in units of destination_currency. If the price comes to less, the request is refused with quote_changed",
    ),
  metadata: metadata.optional(),
});

export const topupRequestResponseSchema = z.object({
  id: z.string().describe("The top-up's id. It begins with tu_"),
  status,
  external_id: z.string().describe(TOPUP_NAME),
  external_user_id: z.string().describe(PAYER),
  amount: z.int().describe(COLLECTED),
  currency: fiatShown.describe(FIAT),
  destination_currency: cryptoShown.describe(SENT),
  destination_amount: exactAmount("The crypto sent to the wallet for amount minus fee, in units of destination_currency"),
  chain: chainShown,
  wallet_address: z.string().describe("The member's wallet. The crypto is sent to it"),
  source: z.object(accountShown).describe("The account that the fiat is collected from"),
  payment: z
    .object({
      reference: z.string().nullable().describe("The reference that the payer must give with the payment. Null if none is needed"),
      instructions: z.string().nullable().describe("What the payer has to do now, in words. Null if nothing"),
    })
    .describe("What the payer needs for the payment"),
  callback_url: z.string().nullable().describe(GIVEN_URL),
  expires_at: timestamp.describe("When the top-up expires. It fails then if it has not been paid"),
  paid_late_at: timestamp
    .nullable()
    .describe(
      "When it was paid after it had expired. No crypto is sent for it, and the operator handles the money. Null if it was not paid late",
    ),
  exchange_rate: exactAmount(
    "Units of the crypto for one major unit of the fiat, such as 0.0077 USDT for 1 KES. Withdrawals state their rate the other way round",
  ),
  ...progress,
});

/** What a callback about a top-up says: what its GET answers at that instant, and the event. */
export const topupCallbackSchema = topupRequestResponseSchema.extend({ event: z.enum(TOPUP_EVENTS).describe(HAPPENED) });

const previewed = {
  amount: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  currency: plainText(1, 16).describe(FIAT),
  chain: caip2,
};
export const withdrawPreviewQuery = z.strictObject({
  ...previewed,
  amount: previewed.amount.describe(PAID_OUT),
  source_currency: plainText(1, 16).describe(TAKEN),
});
export const topupPreviewQuery = z.strictObject({
  ...previewed,
  amount: previewed.amount.describe(COLLECTED),
  destination_currency: plainText(1, 16).describe(SENT),
});

const asOf = timestamp.describe("When the underlying mid rate was observed");
const paidOut = withdrawRequestResponseSchema.shape;
/** Prices before there is an order. Nothing is stored, and nothing is promised. */
export const withdrawPreviewSchema = z.object({
  amount: paidOut.amount,
  currency: paidOut.currency,
  source_currency: paidOut.source_currency,
  source_amount: paidOut.source_amount,
  chain: paidOut.chain,
  exchange_rate: paidOut.exchange_rate,
  fee: paidOut.fee,
  rate_unit: rateUnit,
  as_of: asOf,
});
const collected = topupRequestResponseSchema.shape;
export const topupPreviewSchema = z.object({
  amount: collected.amount,
  currency: collected.currency,
  destination_currency: collected.destination_currency,
  destination_amount: collected.destination_amount,
  chain: collected.chain,
  exchange_rate: collected.exchange_rate,
  fee: collected.fee,
  rate_unit: rateUnit,
  as_of: asOf,
});

/** What the fiat provider reports. Additional fields are ignored. */
export const providerCallbackSchema = z.object({
  order_id: plainText(1, 64).describe("The id of our withdrawal or top-up. It begins with wd_ or tu_"),
  reference: plainText(1, 256).describe("The provider's own reference for the payment"),
  status: z.enum(["succeeded", "failed"]).describe("Whether the fiat was paid out or collected. Final"),
  reason: plainText(0, 1_000).nullable().optional().describe("Why it failed, in words for people. Null or absent if no reason is given"),
});
export const providerReceiptSchema = z.object({
  received: z.literal(true).describe("Always true: the callback is recorded, whether it is new, a repeat or without effect"),
});
