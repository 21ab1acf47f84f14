import { SIGNING_REFUSALS } from "#domain/api-request.ts";
import { isId } from "#domain/ids.ts";
import { isRefusal } from "#domain/refusal.ts";
import { signatureMatches } from "#domain/signing.ts";
import type { RequestEnd } from "#server/observe/trace.ts";
import type { SignedArrival } from "#server/services/access/authenticate-signed-request.ts";
import type { Door } from "./door.ts";
import { operationName, type Passage } from "./passage.ts";
import { headerOf, type RawResponse } from "./raw-request.ts";

/** Hands an answered request to the API log, if its key is known. Never throws, never waits. */
export function logRequest(door: Door, surface: string, passage: Passage, answer: RawResponse, durationMs: number): void {
  const { raw, apiKeyId, partnerId, code, refused } = passage;
  if (apiKeyId === null) return;
  const { method, path, query } = raw;
  door.apiLog.note({
    id: raw.requestId,
    at: door.ctx.clock.now(),
    partnerId,
    apiKeyId,
    userId: null,
    surface,
    operation: operationName(passage),
    method,
    path,
    query,
    status: answer.status,
    code,
    durationMs,
    address: passage.address,
    replayed: answer.headers["Idempotent-Replayed"] === "true",
    settlementId: passage.settlementId ?? made(answer),
    refused,
  });
}

/** The request as its span tells it: by the operation's name, never by its path. */
export function requestEnd(surface: string, passage: Passage, answer: RawResponse): RequestEnd {
  const { raw, code, apiKeyId, partnerId } = passage;
  const operation = operationName(passage);
  return {
    name: operation,
    attributes: {
      "settlement.surface": surface,
      "settlement.request_id": raw.requestId,
      "settlement.tx_id": passage.settlementId ?? made(answer),
      "settlement.partner_id": partnerId,
      "settlement.api_key_id": apiKeyId,
      "settlement.code": code,
      // Of a route of ours it is one of a few; else it is whatever was sent.
      "http.request.method": passage.operation?.method,
      "http.response.status_code": answer.status,
    },
    failure: answer.status >= 500 ? (code ?? String(answer.status)) : null,
  };
}

/** The settlement that parameters of the path, or a body, name; null when they name none. */
export function linkedSettlement(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("tx_id" in input)) return null;
  return typeof input.tx_id === "string" && isId("settlement", input.tx_id) ? input.tx_id : null;
}

/**
 * What the debugger needs of a request that a signing check refused; null when it was something else that went wrong, or it was signed as
 * RFC 9421 says, which the debugger does not know: the refusal itself tells the hash of what should have been signed.
 */
export function refusedSignature(
  error: unknown,
  passage: Passage,
  arrival: SignedArrival,
  missing: readonly string[] = [],
): Passage["refused"] {
  if (arrival.message !== null || passage.apiKeyId === null || !isRefusal(error) || !SIGNING_REFUSALS.includes(error.code)) return null;
  const { apiKey, timestamp, nonce, signature, body } = arrival;
  return {
    body,
    particulars: {
      timestamp,
      nonce,
      signature,
      host: headerOf(passage.raw, "host"),
      contentType: headerOf(passage.raw, "content-type"),
      signedWithApiKey: signatureMatches(apiKey, arrival, signature),
      missing,
    },
  };
}

function made(answer: RawResponse): string | null {
  return linkedSettlement({ tx_id: answer.headers.Location?.split("/").at(-1) });
}
