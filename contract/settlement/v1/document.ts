import { type DocumentedSurface, REFUSED_KEYS } from "#contract/openapi.ts";
import type { Operation } from "#contract/operation.ts";
import { problemSchema } from "#contract/problem.ts";
import { callbackListSchema, callbackSchema } from "./callbacks.ts";
import { pairListSchema, pairSchema, previewSchema } from "./pricing.ts";
import { cancelBody, confirmBody, createBody } from "./requests.ts";
import { callbackAttemptSchema, settlementSchema } from "./settlement.ts";

const SIGNED = [
  "missing_credentials",
  "unknown_api_key",
  "revoked_api_key",
  "stale_timestamp",
  "invalid_nonce",
  "signature_mismatch",
  "nonce_reused",
  "malformed_header",
  "ip_not_allowed",
  "partner_suspended",
  "rate_limited",
  "internal_error",
  "temporarily_unavailable",
] as const;
const WITH_BODY = ["malformed_json", "invalid_utf8", "body_too_large", "unsupported_media_type"] as const;

/** The settlement surface as a document. `brand` stands for `Service` in the signing headers' names. */
export function settlementDocument(brand: string, operations: readonly Operation[]): DocumentedSurface {
  const header = (name: string, description: string) => ({ type: "apiKey", in: "header", name, description });
  return {
    title: "Settlement surface",
    version: "1",
    description: "Quote, confirm, pay out: every request is signed with HMAC-SHA256 under the API secret.",
    operations,
    schemas: {
      Settlement: settlementSchema,
      SettlementCreate: createBody,
      SettlementConfirm: confirmBody,
      SettlementCancel: cancelBody,
      Callback: callbackSchema,
      CallbackList: callbackListSchema,
      CallbackAttempt: callbackAttemptSchema,
      Pair: pairSchema,
      PairList: pairListSchema,
      RatePreview: previewSchema,
      Problem: problemSchema,
    },
    securitySchemes: {
      apiKey: header("Authorization", "The API key, without a scheme before it"),
      timestamp: header(`X-${brand}-Timestamp`, "Unix epoch seconds, within 5 minutes of server time"),
      nonce: header(`X-${brand}-Nonce`, "A UUIDv4, fresh for every request"),
      signature: header(`X-${brand}-Signature`, "Hex HMAC-SHA256 over timestamp, method, path, query and body, joined by newlines"),
    },
    security: () => [{ apiKey: [], timestamp: [], nonce: [], signature: [] }],
    refusals: (operation) => [
      ...SIGNED,
      ...(operation.scope === null ? [] : (["scope_missing"] as const)),
      ...(operation.unread ? [] : (["validation_failed"] as const)),
      ...(operation.method === "POST" ? [...(operation.unread ? [] : WITH_BODY), ...REFUSED_KEYS] : []),
    ],
    error: () => ({ media: "application/problem+json", schema: problemSchema }),
    isIdempotent: (operation) => operation.method === "POST",
  };
}
