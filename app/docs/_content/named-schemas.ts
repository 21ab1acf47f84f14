import type { Named } from "#contract/fields.ts";
import { apiKeyViewSchema, authViewSchema } from "#contract/partner/access.ts";
import { topupRequestResponseSchema, withdrawPartnerResponseSchema, withdrawRequestResponseSchema } from "#contract/partner/fiat.ts";
import { memberSchema } from "#contract/partner/member.ts";
import { partnerSchema } from "#contract/partner/partner.ts";
import { exchangeRateSchema } from "#contract/partner/rates.ts";
import { ethTxSchema, safeInfoSchema } from "#contract/partner/safes.ts";
import { transactionSchema } from "#contract/partner/transactions.ts";
import { callbackSchema } from "#contract/settlement/v1/callbacks.ts";
import { settlementSchema, undeliveredCallbackSchema } from "#contract/settlement/v1/settlement.ts";

/** Schemas that several operations return: each is described once, on the page of its surface. */
export const SETTLEMENT_SCHEMAS: readonly Named[] = [
  { name: "settlement", schema: settlementSchema, page: "/docs/reference" },
  { name: "callback", schema: callbackSchema, page: "/docs/reference" },
  { name: "undelivered_callback", schema: undeliveredCallbackSchema, page: "/docs/reference" },
];

export const MANAGEMENT_SCHEMAS: readonly Named[] = [
  { name: "Partner", schema: partnerSchema },
  { name: "Member", schema: memberSchema },
  { name: "SafeInfo", schema: safeInfoSchema },
  { name: "EthTx", schema: ethTxSchema },
  { name: "WithdrawRequestResponse", schema: withdrawRequestResponseSchema },
  { name: "WithdrawPartnerResponse", schema: withdrawPartnerResponseSchema },
  { name: "TopupRequestResponse", schema: topupRequestResponseSchema },
  { name: "ExchangeRate", schema: exchangeRateSchema },
  { name: "Transaction", schema: transactionSchema },
  { name: "ApiKeyView", schema: apiKeyViewSchema },
  { name: "AuthView", schema: authViewSchema },
].map((named) => ({ ...named, page: "/docs/partner-management" }));

export const ALL_SCHEMAS: readonly Named[] = [...SETTLEMENT_SCHEMAS, ...MANAGEMENT_SCHEMAS];
