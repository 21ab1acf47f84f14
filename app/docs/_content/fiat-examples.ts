import recorded from "#contract/openapi-examples.json" with { type: "json" };
import type { Operation } from "#contract/operation.ts";
import { topupRequestCreateSchema, withdrawCreateSchema, withdrawPartnerCreateSchema } from "#contract/partner/fiat.ts";
import {
  getWithdrawFiatPoolInfoOperation,
  topupFiatOperation,
  topupFiatStatusOperation,
  withdrawFiatForMemberOperation,
  withdrawFiatOperation,
  withdrawFiatStatusOperation,
} from "#contract/partner/fiat-operations.ts";
import { memberCreateSchema } from "#contract/partner/member.ts";
import { createMemberOperation, getMemberOperation } from "#contract/partner/member-operations.ts";
import { currentPartnerOperation } from "#contract/partner/partner-operations.ts";
import type { AccountType } from "#domain/fiat.ts";
import { fiatAmount } from "#domain/money.ts";
import { paymentAdvice } from "#domain/topup.ts";
import type { Site } from "../_parts/site.ts";
import type { Creation, Question } from "./in-languages.ts";

/** The request body, and the schema that must accept it. */
type Example = Creation & { schema: Operation["body"] };

/** Requests for fiat in and out, one for each shape of `destination` and `source`. The stories send them to a sandbox unchanged. */

export const MEMBER = "user-1001";
const PHONE = "+254712345678";
const IBAN = "DE89370400440532013000";
const CALLBACK_URL = "https://partner.example/callbacks";

export const memberExample = {
  id: "member-create",
  title: `Create the member ${MEMBER}`,
  sdk: "members.create",
  named: "member",
  shows: ["external_user_id", "safe_status"],
  nullable: { safe_status: true },
  types: { body: "MemberCreate" },
  operation: createMemberOperation,
  schema: memberCreateSchema,
  body: () => ({ external_user_id: MEMBER, phone: PHONE, name: "Wanjiru Kamau" }),
} satisfies Example;

export const memberReady: Question = {
  id: "member-safe",
  title: "Its Safe, until it is deployed",
  sdk: "members.waitForSafe",
  named: "readyMember",
  of: { named: memberExample.named, field: "external_user_id" },
  path: getMemberOperation.path.replace("{external_user_id}", MEMBER),
  shows: ["wallet_address", "safe_status"],
  nullable: { wallet_address: true, safe_status: true },
};

const crypto = ({ example }: Site) => ({ chain: example.chain });

/** Where a withdrawal is paid. */
const DESTINATIONS = {
  mobile_money: { type: "mobile_money", account: PHONE, name: "Wanjiru Kamau" },
  bank_account: { type: "bank_account", account: IBAN, name: "Wanjiru Kamau" },
} as const satisfies Record<AccountType, object>;

/** The source of a top-up. */
const SOURCES = {
  mobile_money: { type: "mobile_money", account: PHONE },
  bank_account: { type: "bank_account", account: IBAN },
} as const satisfies Record<AccountType, object>;

/** The amount: shillings for a phone, euros for a bank account. */
const AMOUNTS = {
  mobile_money: { amount: 123_400, currency: "KES" },
  bank_account: { amount: 2_500, currency: "EUR" },
} as const satisfies Record<AccountType, object>;

const SHOWN = ["id", "status"];

export const WITHDRAWALS = [
  {
    id: "withdraw-mobile-money",
    title: "From your own Safe to a phone",
    sdk: "withdrawals.create",
    named: "withdrawal",
    shows: SHOWN,
    types: { body: "WithdrawCreate", destination: "WithdrawCreateDestination" },
    operation: withdrawFiatOperation,
    schema: withdrawCreateSchema,
    body: (site: Site) => withdrawal(site, "mobile_money", "payout-2001"),
  },
  {
    id: "withdraw-bank-account",
    title: "From your own Safe to a bank account",
    sdk: "withdrawals.create",
    named: "bankWithdrawal",
    shows: SHOWN,
    types: { body: "WithdrawCreate", destination: "WithdrawCreateDestination" },
    operation: withdrawFiatOperation,
    schema: withdrawCreateSchema,
    body: (site: Site) => withdrawal(site, "bank_account", "payout-2002"),
  },
  {
    id: "withdraw-member",
    title: "From a member’s Safe",
    sdk: "withdrawals.createForMember",
    named: "memberWithdrawal",
    shows: SHOWN,
    types: { body: "WithdrawPartnerCreate", destination: "WithdrawCreateDestination" },
    operation: withdrawFiatForMemberOperation,
    schema: withdrawPartnerCreateSchema,
    body: (site: Site) => ({ ...withdrawal(site, "mobile_money", "payout-2003"), amount: 50_000, external_user_id: MEMBER }),
  },
] satisfies Example[];

export const withdrawalStatus: Question = {
  id: "withdrawal-status",
  title: "A withdrawal’s status",
  sdk: "withdrawals.get",
  named: "foundWithdrawal",
  of: { named: "withdrawal", field: "id" },
  path: withdrawFiatStatusOperation.path.replace("{id}", "$WITHDRAWAL_ID"),
  shows: ["status", "failure_reason"],
  nullable: { failure_reason: false },
};

export const TOPUPS = [
  {
    id: "topup-mobile-money",
    title: "Collected from a phone",
    sdk: "topups.create",
    named: "topup",
    shows: SHOWN,
    types: { body: "TopupRequestCreate", source: "TopupRequestCreateSource" },
    operation: topupFiatOperation,
    schema: topupRequestCreateSchema,
    body: (site: Site) => topup(site, "mobile_money", "topup-3001"),
  },
  {
    id: "topup-bank-account",
    title: "Collected from a bank account",
    sdk: "topups.create",
    named: "bankTopup",
    shows: SHOWN,
    types: { body: "TopupRequestCreate", source: "TopupRequestCreateSource" },
    operation: topupFiatOperation,
    schema: topupRequestCreateSchema,
    body: (site: Site) => topup(site, "bank_account", "topup-3002"),
  },
] satisfies Example[];

export const topupStatus: Question = {
  id: "topup-status",
  title: "A top-up’s status",
  sdk: "topups.get",
  named: "foundTopup",
  of: { named: "topup", field: "id" },
  path: topupFiatStatusOperation.path.replace("{id}", "$TOPUP_ID"),
  shows: ["status", "failure_reason"],
  nullable: { failure_reason: false },
};

export const ownSafe: Question = {
  id: "own-safe",
  title: "Your own Safe",
  sdk: "partner",
  named: "self",
  path: currentPartnerOperation.path,
  shows: ["wallet_address"],
};

export const pools: Question = {
  id: "pools",
  title: "Ask for the pools",
  sdk: "withdrawals.pools",
  named: "pools",
  path: getWithdrawFiatPoolInfoOperation.path,
};

function withdrawal(site: Site, type: AccountType, external_id: string) {
  const source = { source_currency: site.example.currency, ...crypto(site) };
  return { external_id, ...AMOUNTS[type], ...source, destination: DESTINATIONS[type], callback_url: CALLBACK_URL };
}

function topup(site: Site, type: AccountType, external_id: string) {
  const goal = { destination_currency: site.example.currency, ...crypto(site) };
  return { external_id, external_user_id: MEMBER, ...AMOUNTS[type], ...goal, source: SOURCES[type], callback_url: CALLBACK_URL };
}

const TOPUP_ID = "tu_01m8tca250zw4zwphg31cyp7bn";

/** A top-up's payment instructions in the service's own words, by the type of its source. */
export const PAYMENTS = (["mobile_money", "bank_account"] as const).map((type) => {
  const { amount, currency } = AMOUNTS[type];
  return { type, payment: paymentAdvice({ id: TOPUP_ID, source: SOURCES[type], currency }, fiatAmount(BigInt(amount), currency)) };
});

/** A sandbox's recorded answers to these operations. */
export const ANSWERS = {
  withdrawal: recorded.partner.answers.withdraw_fiat["201"],
  topup: recorded.partner.answers.topup_fiat["201"],
  pool: recorded.partner.answers.get_withdraw_fiat_pool_info["200"],
};
