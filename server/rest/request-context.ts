import type { Operation } from "#contract/operation.ts";
import type { ArrivedApiRequest } from "#domain/api-request.ts";
import type { Context } from "#server/context.ts";
import { clientAddress } from "./client-address.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { RawRequest } from "./raw-request.ts";
import type { SurfaceContext } from "./surface-context.ts";

/**
 * What lets a request in once and never again: its nonce. It is spent together with what the request is answered, so that who is told
 * "not now" (5xx) may send the very same request again, and of any number of copies, on any machine, still exactly one wins.
 */
export type NonceReservation = {
  /** @throws Refusal `nonce_reused`. */
  spend(ctx: Context): Promise<void>;
  /** Only of one that was spent and had no effect. */
  releaseAll(ctx: Context): Promise<void>;
};

/** What becomes known of a request on its way, for the answer's headers and the log. */
export type RequestContext = {
  raw: RawRequest;
  /** The body, once it was read. */
  bytes: Uint8Array | "too_large" | null;
  deadline: Deadline;
  /** Where the request comes from, as allow-lists and throttles see it. */
  address: string;
  /** null until a route fits. */
  operation: Operation | null;
  apiKeyId: string | null;
  partnerId: string | null;
  /** The person, where one acts. */
  userId: string | null;
  /** The code of the refusal that was answered; null: answered as asked. */
  code: string | null;
  /** The settlement that the request names or makes, as far as it is known. */
  settlementId: string | null;
  /** What is still to be spent for the request to count; null: nothing, or it is not known yet. */
  reservation: NonceReservation | null;
  /** Undoes the spending, where the answer is to come again; null: there is nothing to undo. */
  releaseAll: (() => Promise<void>) | null;
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
    releaseAll: null,
    refused: null,
    headers: {},
  };
}

/** As logs and metrics name it, never by its path. */
export function operationName({ operation }: RequestContext): string {
  return operation?.id ?? "unknown";
}
