import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { SIGNING_REFUSALS } from "#domain/api-request.ts";
import { isId } from "#domain/ids.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { signatureMatches } from "#domain/signing.ts";
import type { RequestEnd } from "#server/observe/trace.ts";
import type { SignedArrival } from "#server/services/access/authenticate-signed-request.ts";
import { headerOf, type RawResponse } from "./raw-request.ts";
import { operationName, type RequestContext } from "./request-context.ts";
import type { SurfaceContext } from "./surface-context.ts";

/** Hands an answered request to the API log, if its key is known. Never throws, never waits. */
export function logRequest(
  surfaceContext: SurfaceContext,
  surface: string,
  requestContext: RequestContext,
  answer: RawResponse,
  durationMs: number,
): void {
  const { raw, apiKeyId, partnerId, code, refused } = requestContext;
  if (apiKeyId === null) return;
  const { method, path, query } = raw;
  surfaceContext.apiLog.note({
    id: raw.requestId,
    at: surfaceContext.ctx.clock.now(),
    partnerId,
    apiKeyId,
    userId: null,
    surface,
    operation: operationName(requestContext),
    method,
    path,
    query,
    status: answer.status,
    code,
    durationMs,
    address: requestContext.address,
    replayed: answer.headers["Idempotent-Replayed"] === "true",
    settlementId: requestContext.settlementId ?? made(answer),
    refused,
  });
}

/** Logs why a request was refused, where the refusal has a cause: an error in the database, the network or the code. */
export function logCause({ ctx }: SurfaceContext, { raw, operation }: RequestContext, { code, particulars }: Refusal): void {
  if (particulars.cause === undefined) return;
  const logAt = REFUSAL_STATUS[code].status === 500 ? ctx.log.error : ctx.log.warn;
  logAt({ request_id: raw.requestId, operation: operation?.id, code, err: particulars.cause }, "request refused");
}

/** The request for its span: by the operation's name, never by its path. */
export function requestEnd(surface: string, requestContext: RequestContext, answer: RawResponse): RequestEnd {
  const { raw, code, apiKeyId, partnerId } = requestContext;
  const operation = operationName(requestContext);
  return {
    name: operation,
    attributes: {
      "settlement.surface": surface,
      "settlement.request_id": raw.requestId,
      "settlement.tx_id": requestContext.settlementId ?? made(answer),
      "settlement.partner_id": partnerId,
      "settlement.api_key_id": apiKeyId,
      "settlement.code": code,
      // For one of our routes it is one of a few; otherwise it is whatever was sent.
      "http.request.method": requestContext.operation?.method,
      "http.response.status_code": answer.status,
    },
    failure: answer.status >= 500 ? (code ?? String(answer.status)) : null,
  };
}

/** The settlement that parameters of the path, or a body, name; null when they name none. */
export function settlementIdIn(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("tx_id" in input)) return null;
  return typeof input.tx_id === "string" && isId("settlement", input.tx_id) ? input.tx_id : null;
}

/**
 * The debugger's data about a request that failed a signing check. Null for other failures, and for a request signed by RFC 9421, which the
 * debugger does not support: the refusal itself contains the hash of what should have been signed.
 */
export function refusedSignature(
  error: unknown,
  requestContext: RequestContext,
  arrival: SignedArrival,
  missing: readonly string[] = [],
): RequestContext["refused"] {
  if (arrival.message !== null || requestContext.apiKeyId === null || !isRefusal(error) || !SIGNING_REFUSALS.includes(error.code))
    return null;
  const { apiKey, timestamp, nonce, signature, body } = arrival;
  return {
    body,
    particulars: {
      timestamp,
      nonce,
      signature,
      host: headerOf(requestContext.raw, "host"),
      contentType: headerOf(requestContext.raw, "content-type"),
      signedWithApiKey: signatureMatches(apiKey, arrival, signature),
      missing,
    },
  };
}

function made(answer: RawResponse): string | null {
  return settlementIdIn({ tx_id: answer.headers.Location?.split("/").at(-1) });
}
