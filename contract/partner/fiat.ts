import { z } from "zod";
import { caip2, callbackUrl, exactAmount, minorAmount, plainText, reference, timestamp } from "#contract/primitives.ts";
import { chainShown, createdAt, cryptoShown, fiatShown, updatedAt } from "#contract/shared-fields.ts";
import { ACCOUNT_TYPES, FIAT_STATUSES } from "#domain/fiat.ts";
import { TOPUP_EVENTS } from "#domain/topup.ts";
import { PAYOUT_WAITS, WITHDRAWAL_EVENTS } from "#domain/withdrawal.ts";
import { cryptoCurrencySchema, fiatCurrencySchema } from "./rates.ts";

/** Fiat in and out (contract, parts 6 and 9). */

const status = z.enum(FIAT_STATUSES).describe("How far it has come; completed and failed are final");

const TYPE = "What kind of account it is";
const ACCOUNT =
  "Of mobile_money the phone number with its country's code, such as +254712345678; of bank_account what the currency's banks want: an IBAN, or bank code and number";
const NAME = "Of the payee, as the account is held";

const account = { type: z.enum(ACCOUNT_TYPES).describe(TYPE), account: plainText(1, 64).describe(ACCOUNT) };
/** The same in answers, as it was given. */
const accountShown = { type: z.string().describe(TYPE), account: z.string().describe(ACCOUNT) };
const payee = z.strictObject({ ...account, name: plainText(1, 128).describe(NAME) }).describe("Whom the fiat is paid to");
const payer = z.strictObject(account).describe("Whom the fiat is collected from");
const WHEN_ENDED = "An absolute https URL of a public host. It gets a callback when the order has ended; without it there is no callback";

const progress = {
  fee: z.int().describe("The partner's charge fee, in minor units: on top of a withdrawal's amount, taken out of a top-up's"),
  tx_hash: z.string().nullable().describe("The transfer on the chain; null until it is final"),
  provider_reference: z.string().nullable().describe("The fiat provider's own name for the payment; null until it reports one"),
  failure_reason: z.string().nullable().describe("Why it failed, in words; null as long as nothing has failed"),
  created_at: createdAt,
  updated_at: updatedAt,
  completed_at: timestamp.nullable().describe("When it was completed; null: it is not"),
};

/** The partner's own name for a withdrawal or a top-up. */
const WITHDRAWAL_NAME = "The partner's own reference, unique among its withdrawals";
const TOPUP_NAME = "The partner's own reference, unique among its top-ups";
const PAID_OUT = "Fiat to pay out, in minor units of currency, without the fee";
const COLLECTED = "Fiat to collect, in minor units of currency, the fee in it";
const FIAT = "Fiat that is paid out or collected, ISO 4217";
const TAKEN = "Symbol of the token that is taken from the Safe";
const SENT = "Symbol of the token that is sent to the member's wallet";
const PAYER = "The member who pays, and gets the crypto";
const HAPPENED = "What has happened";
const GIVEN_URL = "Where its callback goes; null: nobody is called";

const withdrawFields = {
  external_id: reference.describe(WITHDRAWAL_NAME),
  amount: minorAmount.describe(PAID_OUT),
  currency: fiatCurrencySchema.describe(FIAT),
  source_currency: cryptoCurrencySchema.describe(TAKEN),
  chain: caip2,
  destination: payee,
  callback_url: callbackUrl.optional().describe(WHEN_ENDED),
};
export const withdrawCreateSchema = z.strictObject(withdrawFields);
export const withdrawPartnerCreateSchema = z.strictObject({
  ...withdrawFields,
  external_user_id: reference.describe("The member out of whose Safe it is taken"),
});

export const withdrawRequestResponseSchema = z.object({
  id: z.string().describe("The withdrawal's id, wd_…"),
  status,
  external_id: z.string().describe(WITHDRAWAL_NAME),
  external_user_id: z.string().nullable().describe("The member whose Safe pays; null where the partner's own does"),
  amount: z.int().describe(PAID_OUT),
  currency: fiatShown.describe(FIAT),
  source_currency: cryptoShown.describe(TAKEN),
  source_amount: exactAmount("Taken from the Safe for amount and fee together, in units of the crypto"),
  chain: chainShown,
  destination: z.object({ ...accountShown, name: z.string().describe(NAME) }).describe("Whom the fiat is paid to"),
  callback_url: z.string().nullable().describe(GIVEN_URL),
  return_tx_hash: z.string().nullable().describe("What gave the crypto back after a payout that failed; null: nothing was given back"),
  waiting_reason: z
    .enum(PAYOUT_WAITS)
    .nullable()
    .describe(
      "Why it waits before its crypto is taken: new_payee for its partner to look at an account that it has not paid before, hold for the operator's people; null: it does not wait",
    ),
  waiting_since: timestamp.nullable().describe("Since when it waits for that; null where waiting_reason is"),
  waiting_until: timestamp
    .nullable()
    .describe("When it goes on by itself, unless an owner says yes to the payee in the console before; null: people decide"),
  exchange_rate: exactAmount(
    "Major units of the fiat per unit of the crypto, such as 129.2 KES per USDT. Settlements and top-ups state theirs the other way round",
  ),
  ...progress,
});
export const withdrawPartnerResponseSchema = withdrawRequestResponseSchema.extend({
  external_user_id: z.string().describe("The member whose Safe pays"),
});

/** What a callback about a withdrawal says: what its GET answers at that instant, and the event. */
export const withdrawalCallbackSchema = withdrawRequestResponseSchema.extend({ event: z.enum(WITHDRAWAL_EVENTS).describe(HAPPENED) });

/** What can be paid out of one currency, in minor units. */
export const poolSchema = z.object({
  currency: fiatShown.describe("Fiat that the pool holds, ISO 4217; the amounts next to it are in its minor units"),
  total: z.int().describe("All that it holds, in minor units"),
  reserved: z.int().describe("What of it is promised to withdrawals under way, in minor units"),
  available: z.int().describe("What is left for new withdrawals, in minor units: total less reserved"),
  minimum: z.int().describe("The smallest amount that one withdrawal pays out, in minor units"),
  maximum: z
    .int()
    .describe(
      "The limit for one withdrawal, in minor units. It says nothing of what the pool holds and may be above total: available limits too",
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
});

export const topupRequestResponseSchema = z.object({
  id: z.string().describe("The top-up's id, tu_…"),
  status,
  external_id: z.string().describe(TOPUP_NAME),
  external_user_id: z.string().describe(PAYER),
  amount: z.int().describe(COLLECTED),
  currency: fiatShown.describe(FIAT),
  destination_currency: cryptoShown.describe(SENT),
  destination_amount: exactAmount("Sent to the wallet for amount less fee, in units of the crypto"),
  chain: chainShown,
  wallet_address: z.string().describe("The member's wallet, where the crypto goes"),
  source: z.object(accountShown).describe("Whom the fiat is collected from"),
  payment: z
    .object({
      reference: z.string().nullable().describe("What the payment has to carry; null: nothing"),
      instructions: z.string().nullable().describe("In words, what the payer does now; null: nothing"),
    })
    .describe("For the payer"),
  callback_url: z.string().nullable().describe(GIVEN_URL),
  expires_at: timestamp.describe("Until when it can be paid; unpaid it fails then"),
  paid_late_at: timestamp
    .nullable()
    .describe("When it was paid although it had expired: nothing is sent for it, and the operator handles the money; null: it was not"),
  exchange_rate: exactAmount(
    "Units of the crypto per major unit of the fiat, such as 0.0077 USDT per KES. Withdrawals state theirs the other way round",
  ),
  ...progress,
});

/** What a callback about a top-up says: what its GET answers at that instant, and the event. */
export const topupCallbackSchema = topupRequestResponseSchema.extend({ event: z.enum(TOPUP_EVENTS).describe(HAPPENED) });

/** What the fiat provider reports. Additional fields are ignored. */
export const providerCallbackSchema = z.object({
  order_id: plainText(1, 64).describe("Our wd_… or tu_…"),
  reference: plainText(1, 256).describe("The provider's own name for the payment"),
  status: z.enum(["succeeded", "failed"]).describe("Whether the fiat was paid out, or collected; final"),
  reason: plainText(0, 1_000).nullable().optional().describe("Why it failed, for people; null or left out: no reason given"),
});
export const providerReceiptSchema = z.object({
  received: z.literal(true).describe("The callback is recorded, whether it is new, a repeat or without effect"),
});
