import type { DocumentedSurface, Tag } from "#contract/documented-surface.ts";
import { REFUSED_KEYS } from "#contract/openapi-operation.ts";
import { type CallerKind, honoursIdempotencyKey, type Operation } from "#contract/operation.ts";
import { errorCodeSchema } from "#contract/problem.ts";
import type { RefusalCode } from "#domain/refusal.ts";
import {
  apiKeyCreateSchema,
  apiKeyViewSchema,
  authCreateSchema,
  authViewSchema,
  callbackSecretSchema,
  loginFormSchema,
  loginResponseSchema,
} from "./access.ts";
import { errorSchema, httpValidationErrorSchema, validationErrorSchema } from "./errors.ts";
import {
  poolSchema,
  providerCallbackSchema,
  topupPreviewSchema,
  topupRequestCreateSchema,
  topupRequestResponseSchema,
  withdrawCreateSchema,
  withdrawPartnerCreateSchema,
  withdrawPartnerResponseSchema,
  withdrawPreviewSchema,
  withdrawRequestResponseSchema,
} from "./fiat.ts";
import { FIAT_CALLBACKS } from "./fiat-callbacks.ts";
import { memberCreateSchema, memberSchema, memberUpdateSchema } from "./member.ts";
import { partnerCreateSchema, partnerRoleSchema, partnerSchema, updateChargingFeeSchema } from "./partner.ts";
import { partnerPaymentCreateSchema, partnerPaymentSchema } from "./payments.ts";
import { conversionSchema, cryptoCurrencySchema, exchangeRateSchema, fiatCurrencySchema } from "./rates.ts";
import { ethTxSchema, safeInfoSchema } from "./safes.ts";
import { transactionListResponseSchema, transactionSchema } from "./transactions.ts";

const ERRORS = {
  HTTPValidationError: httpValidationErrorSchema,
  ValidationError: validationErrorSchema,
  Error: errorSchema,
  ErrorCode: errorCodeSchema,
};

/** The names that the specification gives to this surface's bodies (part 2), and below them those of our own. */
const SCHEMAS = {
  Partner: partnerSchema,
  PartnerCreate: partnerCreateSchema,
  PartnerRole: partnerRoleSchema,
  UpdateChargingFee: updateChargingFeeSchema,
  Member: memberSchema,
  MemberCreate: memberCreateSchema,
  MemberUpdate: memberUpdateSchema,
  SafeInfo: safeInfoSchema,
  EthTx: ethTxSchema,
  ApiKeyCreate: apiKeyCreateSchema,
  ApiKeyView: apiKeyViewSchema,
  AuthCreate: authCreateSchema,
  AuthView: authViewSchema,
  Body_login_for_access_token_login_post: loginFormSchema,
  LoginResponse: loginResponseSchema,
  FiatCurrency: fiatCurrencySchema,
  CryptoCurrency: cryptoCurrencySchema,
  ExchangeRate: exchangeRateSchema,
  WithdrawCreate: withdrawCreateSchema,
  WithdrawPartnerCreate: withdrawPartnerCreateSchema,
  WithdrawRequestResponse: withdrawRequestResponseSchema,
  WithdrawPreview: withdrawPreviewSchema,
  TopupPreview: topupPreviewSchema,
  WithdrawPartnerResponse: withdrawPartnerResponseSchema,
  TopupRequestCreate: topupRequestCreateSchema,
  TopupRequestResponse: topupRequestResponseSchema,
  TransactionListResponse: transactionListResponseSchema,

  Transaction: transactionSchema,
  Conversion: conversionSchema,
  PartnerPayment: partnerPaymentSchema,
  PartnerPaymentCreate: partnerPaymentCreateSchema,
  CallbackSecret: callbackSecretSchema,
  WithdrawFiatPool: poolSchema,
  ProviderCallback: providerCallbackSchema,
  ...ERRORS,
};

const TAGS: readonly Tag[] = [
  { name: "Members", description: "Members and their Safes", of: /^\/partners\/members/ },
  { name: "Withdrawals", description: "Pay out fiat for crypto from a Safe", of: /\/withdraw-fiat/ },
  { name: "Top-ups", description: "Collect fiat, and send crypto to a member", of: /\/topup-fiat/ },
  { name: "Transactions", description: "Settlements, withdrawals and top-ups in one list", of: /\/transactions$/ },
  { name: "Rates", description: "Mid rates, and conversion of amounts", of: /^\/exchange-rates/ },
  { name: "Keys", description: "API keys and the callback secret", of: /\/api-keys/ },
  { name: "Partners", description: "Partners and their terms", of: /^\/partners/ },
  { name: "Decisions", description: "The operator's decisions on settlements and batches", of: /^\/admins\/settlements/ },
  { name: "People", description: "The operator's people and their log-in", of: /^\/(?:admins|login)/ },
  { name: "Safes", description: "Safes and the contracts that they need", of: /^\/safes/ },
];

const ALWAYS: readonly RefusalCode[] = ["malformed_header", "internal_error", "temporarily_unavailable"];
const CREDENTIALS: readonly RefusalCode[] = [
  "missing_api_key",
  "unknown_api_key",
  "revoked_api_key",
  "ip_not_allowed",
  "forbidden",
  "rate_limited",
];
/** Refusals of a user's token, on any operation. */
const TOKEN: readonly RefusalCode[] = ["invalid_token", "enrolment_required"];
/** Refusals of a key's signature: some operations need one, and any may have one. */
const SIGNED: readonly RefusalCode[] = ["missing_credentials", "stale_timestamp", "invalid_nonce", "signature_mismatch", "nonce_reused"];
const WITH_BODY: readonly RefusalCode[] = ["malformed_json", "invalid_utf8", "body_too_large", "unsupported_media_type"];

/** The partner-management surface as a document. `moreSchemas`: of operations of another contract that are answered in its manner. */
export function partnerDocument(operations: readonly Operation[], moreSchemas: DocumentedSurface["schemas"]): DocumentedSurface {
  return {
    title: "Partner-management surface",
    version: "1",
    description: "Members, Safes, fiat in and out, rates, transactions, partners, keys and the operator's people.",
    tags: [...TAGS, { name: "Callbacks", description: "What is sent when a withdrawal or top-up has ended", of: /(?!)/ }],
    operations,
    schemas: { ...SCHEMAS, ...moreSchemas },
    webhooks: FIAT_CALLBACKS,
    securitySchemes: {
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "apiKey",
        description:
          "An API key of a partner or of the operator. A key with signed_management must also sign its requests, as on the settlement surface",
      },
      operator: {
        type: "oauth2",
        description: "The access token of one of the operator's people",
        flows: { password: { tokenUrl: "/login", scopes: {} } },
      },
      provider: {
        type: "apiKey",
        in: "header",
        name: "X-Signature",
        description: "HMAC-SHA512 of the raw body with the provider's secret, in hex",
      },
    },
    security: ({ caller }) => {
      if (caller === "anybody") return [];
      if (caller === "provider") return [{ provider: [] }];
      return caller === "partner" ? [{ apiKey: [] }] : [{ apiKey: [] }, { operator: [] }];
    },
    refusals: refusalsOf,
    error: (status) => ({ media: "application/json", schema: status === 422 ? httpValidationErrorSchema : errorSchema }),
  };
}

/** The sandbox's controls, which are answered in the same manner. Live mode has neither them nor their document. */
export function sandboxDocument(operations: readonly Operation[]): DocumentedSurface {
  return {
    ...partnerDocument(operations, {}),
    title: "Sandbox controls",
    description: "Move the sandbox's clock and rates, with the operator's key.",
    tags: [{ name: "Sandbox", description: "Business time and mid rates", of: /^\/sandbox/ }],
    schemas: ERRORS,
    webhooks: {},
  };
}

function refusalsOf(operation: Operation): readonly RefusalCode[] {
  const { caller, scope, method } = operation;
  const hasKey = ["partner", "operator", "both"].includes(caller);
  const ofCaller: Record<CallerKind, readonly RefusalCode[]> = {
    signed: [],
    partner: [...CREDENTIALS, ...TOKEN, "partner_suspended"],
    operator: [...CREDENTIALS, ...TOKEN],
    both: [...CREDENTIALS, ...TOKEN, "partner_suspended"],
    anybody: ["rate_limited"],
    provider: ["missing_credentials", "signature_mismatch"],
  };
  return [
    ...ofCaller[caller],
    ...(hasKey ? SIGNED : []),
    ...(hasKey ? (["signature_required"] as const) : []),
    ...(scope === null ? [] : (["scope_missing"] as const)),
    ...(method === "POST" || method === "PUT" ? WITH_BODY : []),
    ...(honoursIdempotencyKey(operation) ? REFUSED_KEYS : []),
    "validation_failed",
    ...ALWAYS,
  ];
}
