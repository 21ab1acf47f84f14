import type { Operation } from "#contract/operation.ts";
import type { ArrivedApiRequest } from "#domain/api-request.ts";
import type { Context } from "#server/context.ts";
import { clientAddress } from "./client-address.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { RawRequest } from "./raw-request.ts";
import type { SurfaceContext } from "./surface-context.ts";

/**
 * The nonce, which admits a request only once. It is spent together with the request's result. So a caller that got a 5xx may send the
 * same request again, and of any number of copies, on any machine, exactly one succeeds.
 */
export type NonceReservation = {
  /** @throws Refusal `nonce_reused`. */
  spend(ctx: Context): Promise<void>;
  /** Only for one that was spent and had no effect. */
  release(ctx: Context): Promise<void>;
};

/** What becomes known of a request on its way, for the answer's headers and the log. */
export type RequestContext = {
  raw: RawRequest;
  /** The body, once it was read. */
  bytes: Uint8Array | "too_large" | null;
  deadline: Deadline;
  /** The caller's address, for allow-lists and throttles. */
  address: string;
  /** null until a route fits. */
  operation: Operation | null;
  apiKeyId: string | null;
  partnerId: string | null;
  /** The person, where one acts. */
  userId: string | null;
  /** The code of the refusal; null: success. */
  code: string | null;
  /** The settlement that the request names or makes, as far as it is known. */
  settlementId: string | null;
  /** What must still be spent for the request to count; null: nothing, or unknown yet. */
  reservation: NonceReservation | null;
  /** Releases the nonce, if the caller should send the request again; null: there is nothing to release. */
  releaseNonce: (() => Promise<void>) | null;
  /** What the signature debugger needs, of a request whose key was known and which was refused by a signing check. */
  refused: ArrivedApiRequest["refused"];
  /** Headers that the answer carries whether good or bad. */
  headers: Record<string, string>;
};

export function openRequestContext(
  raw: RawRequest,
  { settings, databaseLimitMs }: Pick<SurfaceContext, "settings" | "databaseLimitMs">,
): RequestContext {
  return {
    raw,
    address: clientAddress(raw, settings.trustedProxies),
    bytes: null,
    deadline: createDeadline(databaseLimitMs),
    operation: null,
    apiKeyId: null,
    partnerId: null,
    userId: null,
    code: null,
    settlementId: null,
    reservation: null,
    releaseNonce: null,
    refused: null,
    headers: {},
  };
}

/** Its name in logs and metrics, never its path. */
export function operationName({ operation }: RequestContext): string {
  return operation?.id ?? "unknown";
}
