import type { DocumentedSurface } from "#contract/documented-surface.ts";
import { REFUSED_KEYS } from "#contract/openapi-operation.ts";
import { honoursIdempotencyKey, type Operation } from "#contract/operation.ts";
import { errorCodeSchema, problemSchema } from "#contract/problem.ts";
import { batchItem, batchSchema, createBatchBody, estimatedSettlementSchema, estimateSchema, madeBatchSchema } from "./batches.ts";
import { SETTLEMENT_CALLBACKS } from "./callback-body.ts";
import { anyCallbackListSchema, anyCallbackSchema, callbackListSchema, callbackSchema } from "./callbacks.ts";
import { changeDestinationBody, createDestinationBody, destinationListSchema, destinationSchema } from "./event-destinations.ts";
import { eventSchema } from "./events.ts";
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
const ANYBODY = ["malformed_header", "internal_error", "temporarily_unavailable"] as const;
const WITH_BODY = ["malformed_json", "invalid_utf8", "body_too_large", "unsupported_media_type"] as const;

/** Either way; if any header of the first is present, only that one counts. */
const WAYS_TO_SIGN = [
  { apiKey: [], timestamp: [], nonce: [], signature: [] },
  { signatureInput: [], messageSignature: [] },
];
const INPUT =
  "RFC 9421, instead of the headers above: `created`, `nonce` (a UUIDv4), `keyid` (the API key) and `alg` hmac-sha256, covering at least `@method`, `@target-uri` (or `@path` and `@query`) and, where there is a body, `content-digest` (RFC 9530: sha-256 or sha-512)";

/** The settlement surface as a document. `brand` replaces `Service` in the names of the signing headers. */
export function settlementDocument(brand: string, operations: readonly Operation[]): DocumentedSurface {
  const header = (name: string, description: string) => ({ type: "apiKey", in: "header", name, description });
  return {
    title: "Settlement surface",
    version: "1",
    description: "Quote, confirm and pay out. Every request is signed with HMAC-SHA256 and your API secret.",
    tags: [
      { name: "Callbacks", description: "Callbacks of a settlement, and their attempts", of: /\/callbacks/ },
      { name: "Proofs", description: "Signed proofs by which a third party can verify a settlement", of: /\/(?:proof|jwks\.json)$/ },
      {
        name: "Batches",
        description: "Up to 500 settlements that are created, confirmed and decided together",
        of: /\/settlement-batches/,
      },
      { name: "Event destinations", description: "The addresses that events are sent to", of: /\/event-destinations/ },
      { name: "Events", description: "Every change, in order", of: /\/events/ },
      { name: "Settlements", description: "Quote, confirm, cancel and read settlements", of: /\/settlements/ },
      { name: "Prices", description: "The pairs that you can get quotes for, and their rates", of: /\/(?:pairs|rates)/ },
      { name: "Connection", description: "Check your clock and your signature", of: /./ },
    ],
    operations,
    schemas: {
      Settlement: settlementSchema,
      Event: eventSchema,
      EventDestination: destinationSchema,
      EventDestinationList: destinationListSchema,
      EventDestinationCreate: createDestinationBody,
      EventDestinationChange: changeDestinationBody,
      Batch: batchSchema,
      BatchWithItems: madeBatchSchema,
      BatchEstimate: estimateSchema,
      EstimatedSettlement: estimatedSettlementSchema,
      BatchCreate: createBatchBody,
      BatchItem: batchItem,
      SettlementCreate: createBody,
      SettlementConfirm: confirmBody,
      SettlementCancel: cancelBody,
      Callback: callbackSchema,
      CallbackList: callbackListSchema,
      OwnCallback: anyCallbackSchema,
      OwnCallbackList: anyCallbackListSchema,
      CallbackAttempt: callbackAttemptSchema,
      Pair: pairSchema,
      PairList: pairListSchema,
      RatePreview: previewSchema,
      Problem: problemSchema,
      ErrorCode: errorCodeSchema,
    },
    webhooks: SETTLEMENT_CALLBACKS,
    securitySchemes: {
      apiKey: header("Authorization", "The API key, without a scheme before it"),
      timestamp: header(`X-${brand}-Timestamp`, "Unix epoch seconds, within 5 minutes of server time"),
      nonce: header(`X-${brand}-Nonce`, "A UUIDv4, fresh for every request"),
      signature: header(`X-${brand}-Signature`, "Hex HMAC-SHA256 over timestamp, method, path, query and body, joined by newlines"),
      signatureInput: header("Signature-Input", INPUT),
      messageSignature: header("Signature", "RFC 9421: base64 HMAC-SHA256 over the signature base, under the same label"),
    },
    security: ({ caller }) => (caller === "anybody" ? [] : WAYS_TO_SIGN),
    refusals: (operation) => [
      ...(operation.caller === "anybody" ? ANYBODY : SIGNED),
      ...(operation.scope === null ? [] : (["scope_missing"] as const)),
      ...(operation.unread ? [] : (["validation_failed"] as const)),
      ...(["POST", "PATCH"].includes(operation.method) && !operation.unread ? WITH_BODY : []),
      ...(honoursIdempotencyKey(operation) ? REFUSED_KEYS : []),
    ],
    error: () => ({ media: "application/problem+json", schema: problemSchema }),
  };
}
